import { csvDelimiterOf } from '@lms/contracts/formats';
import { type Archive, ArchiveRefused, openArchive, readEntry } from './archive.ts';
import { kindsByDepth } from './cartridge-format.ts';
import { createRangeReader, type RangeSource } from './range-reader.ts';
import { readCartridge } from './read-cartridge.ts';
import { readCurriculumCsv } from './read-csv.ts';
import { checkItem, error, type Issue, isIssue, type ReadEntry, type ReadItem } from './read-items.ts';
import { readCurriculumJson } from './read-json.ts';

/** The file that an archive of the own format has at its root. */
export const curriculumPath = 'curriculum.json';
export const importFormats = ['json', 'zip', 'csv', 'imscc'] as const;
const maxHeaderBytes = 4_096;
export type ImportFormat = (typeof importFormats)[number];

/** An opened file of an import. */
export interface OpenedFile {
  /** Undefined for formats without files beside the outline. */
  archive: Archive | undefined;
  entries: () => AsyncGenerator<ReadEntry>;
}

/** The format of a file by its extension, in any case. */
export function formatOf(fileName: string): ImportFormat | undefined {
  const extension = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase();
  return importFormats.find((format) => format === extension);
}

/** Opens a file, and checks all entries of an archive. @throws ArchiveRefused */
export async function openFile(format: ImportFormat, source: RangeSource): Promise<OpenedFile> {
  const bytes = () => source.open(0, source.size);
  if (format === 'json') return { archive: undefined, entries: () => readAll(bytes, readCurriculumJson) };
  if (format === 'csv') return { archive: undefined, entries: () => readCsv(source) };
  const archive = await openArchive(source);
  return { archive, entries: () => (format === 'zip' ? readArchive(archive) : readFromCartridge(archive)) };
}

async function* readAll(
  open: () => Promise<AsyncIterable<Uint8Array>>,
  read: (bytes: AsyncIterable<Uint8Array>) => AsyncGenerator<ReadEntry>,
) {
  yield* read(await open());
}

async function* readCsv(source: RangeSource): AsyncGenerator<ReadEntry> {
  const start = await createRangeReader(source).read(0, Math.min(source.size, maxHeaderBytes));
  yield* readCurriculumCsv(await source.open(0, source.size), csvDelimiterOf(start.toString('latin1')));
}

async function* readArchive(archive: Archive): AsyncGenerator<ReadEntry> {
  const outline = archive.entries.get(curriculumPath);
  if (outline) yield* readAll(outline.open, readCurriculumJson);
  else yield error('', 'MISSING_FILE', `The archive has no ${curriculumPath} at its root`);
}

async function* readFromCartridge({ entries }: Archive): AsyncGenerator<ReadEntry> {
  const issues: Issue[] = [];
  const entryOf = (path: string) => {
    const entry = entries.get(path);
    if (!entry) throw new ArchiveRefused('The file is not in the archive', path);
    return entry;
  };
  const files = {
    sizes: { has: entries.has, get: (path: string) => entries.get(path)?.size, keys: entries.keys },
    read: async (path: string) => readEntry(entryOf(path), maxPageBytes),
    open: async (path: string) => entryOf(path).open(),
  };
  const items = readCartridge(files, ({ severity, code, message, line }) =>
    issues.push({ severity, code, message, location: line === undefined ? '' : `line ${line}` }),
  );
  const parents: number[] = [];
  let number = 0;
  for await (const { kind, fields, defaults } of items) {
    number += 1;
    const depth = kindsByDepth.indexOf(kind);
    parents[depth] = number;
    const parent = depth === 0 ? null : (parents[depth - 1] ?? null);
    const item = { kind, number, parent, location: `item ${number}`, defaults: {}, listsChildren: kind !== 'topic' };
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
    for (const entry of checkItem({ ...item, fields: { ...defaults, ...given } }))
      yield isIssue(entry) ? entry : { ...entry, ...separate(entry.fields, given) };
    yield* issues.splice(0);
  }
  yield* issues;
}

function separate(fields: ReadItem['fields'], given: ReadItem['fields']) {
  const pick = (isGiven: boolean) =>
    Object.fromEntries(Object.entries(fields).filter(([field]) => field in given === isGiven));
  return { fields: pick(true), defaults: pick(false) };
}

const maxPageBytes = 32 * 1024 * 1024;

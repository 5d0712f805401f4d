import { createHash } from 'node:crypto';
import { statusOf } from '@lms/service/problems';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { type Archive, type ArchiveEntry, ArchiveRefused } from '../curriculum/archive.ts';
import type { Attempt } from './attempt.ts';
import type { Issues } from './collect-issues.ts';
import type { ImportDeps, TopicMedia } from './deps.ts';
import { importItems } from './items-repository.ts';
import type { Import, ImportMedia } from './table.ts';

const Files = {
  video: Type.Object({ file: Type.String() }),
  document: Type.Object({ file: Type.String(), name: Type.String(), description: Type.String() }),
  captions: Type.Object({
    file: Type.String(),
    language: Type.String(),
    label: Type.Optional(Type.String()),
    kind: Type.Optional(Type.String()),
    default: Type.Optional(Type.Boolean()),
  }),
  prunedCaptions: Type.Object({ languages: Type.Array(Type.String()) }),
  pruned: Type.Object({ names: Type.Array(Type.String()) }),
};

/**
 * Stores the files of an import one after the other. What is done is recorded file by file, so another attempt goes on where this
 * one ended. A file that media refuses becomes an issue. Adds to `job.counts`, which are complete also if it is interrupted.
 */
export async function storeMedia(
  deps: ImportDeps,
  job: Import,
  archive: Archive | undefined,
  attempt: Attempt,
  issues: Issues,
) {
  const rows = importItems(deps.database.db, job.id);
  const { counts } = job;
  // Content may show a file whose upload failed when an earlier attempt ended, and which media is going to withdraw.
  let mayBeWithdrawn = job.attempts > 1;
  let { total, done } = await rows.countMedia();
  for (let after = -1; ; ) {
    const batch = await rows.listPendingMedia(after, batchSize);
    if (batch.length === 0) return;
    for (const row of batch) {
      let isRefused = false;
      await attempt.reach(60 + (40 * done) / total);
      try {
        if (await storeFile(deps, job, row, archive, mayBeWithdrawn)) counts.media += 1;
      } catch (error) {
        const { code, message } = refusalOf(error);
        issues.add({ severity: 'warning', location: row.location, code, message });
        isRefused = true;
      }
      mayBeWithdrawn = false;
      const finished = await deps.database.db.transaction(async (tx) => {
        await attempt.update({ counts, ...issues.result() }, tx);
        return importItems(tx, job.id).finishMedia(row, isRefused);
      });
      done += finished;
      after = row.number;
      // The batch has the others, too.
      if (finished > 1) break;
    }
  }
}

const batchSize = 100;
const transientStatuses = [401, 408, 429];

/** Why a file was refused. @throws the error if another attempt may succeed */
function refusalOf(error: unknown): { code: string; message: string } {
  // If an entry of the archive is broken, the request that was to send it has failed.
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ArchiveRefused) return cause.issue;
  const status = statusOf(error);
  if (status === undefined || status >= 500 || transientStatuses.includes(status)) throw error;
  const { code, message } = Object(error);
  return { code: String(code), message: String(message) };
}

/** @returns true if a file was stored, false if nothing had to change */
async function storeFile(
  { database, outline, media }: ImportDeps,
  { id: importId, createdBy, requestId }: Import,
  row: ImportMedia,
  archive: Archive | undefined,
  mayBeWithdrawn: boolean,
): Promise<boolean> {
  const { topicId, kind, entry: given } = row;
  const actor = { userId: createdBy, requestId };
  const topic = (await outline.listTopicMedia(database.db, [topicId])).get(topicId);
  // It was deleted in the meantime.
  if (!topic) return false;

  if (kind === 'remove-video') {
    if (topic.video) await media.removeVideo(actor, topicId);
    return false;
  }
  if (kind === 'prune-captions') {
    const kept = Value.Parse(Files.prunedCaptions, given).languages.map(canonicalLanguage);
    for (const { language } of topic.video?.captions ?? [])
      if (!kept.includes(language)) await media.removeCaptions(actor, topicId, language);
    return false;
  }
  if (kind === 'prune-documents') {
    const { names } = Value.Parse(Files.pruned, given);
    for (const { id, name } of topic.documents)
      if (!names.includes(name)) await media.removeDocument(actor, topicId, id);
    return false;
  }
  const file = archive?.entries.get(String(given.file));
  if (!file) throw new ArchiveRefused('The file is not in the archive', String(given.file));
  const sent = async () => ({ fileName: file.name.slice(file.name.lastIndexOf('/') + 1), bytes: await file.open() });

  if (kind === 'video') {
    if (!mayBeWithdrawn && (await isSame(file, topic.video))) return false;
    const { fileName, bytes } = await sent();
    await media.uploadVideo(actor, topicId, fileName, bytes);
    return true;
  }
  if (kind === 'captions') {
    const { file: _file, language, default: isDefault, ...texts } = Value.Parse(Files.captions, given);
    const fields = { language, ...texts, ...(isDefault !== undefined && { default: String(isDefault) }) };
    const before = await media.findCaptionsChecksum(actor, topicId, language);
    // Media stores another text than that of the file, and knows whether it is the same as before.
    return (await media.uploadCaptions(actor, topicId, fields, await sent())) !== before;
  }
  const { name, description } = Value.Parse(Files.document, given);
  const stored = topic.documents.filter((document) => document.name === name);
  const namesakes = stored.length > 0 ? await importItems(database.db, importId).listNamesakes(row) : [];
  const equal = await filter(stored, (document) => isSameDocument(archive, given, document));
  const [sample] = equal;
  if (sample && !mayBeWithdrawn) {
    // The file may have the same document several times: the rows before this one have theirs.
    const earlier = namesakes.filter(({ number }) => number < row.number);
    const taken = await filter(earlier, ({ entry }) => isSameDocument(archive, entry, sample));
    if (equal.length > taken.length) return false;
  }
  await media.uploadDocument(actor, topicId, { name, description }, await sent());
  // It replaces the documents of that name, except one for each of the others that the file has.
  const withdrawn = mayBeWithdrawn ? equal.at(-1) : undefined;
  for (const document of stored) {
    const [kept] =
      document === withdrawn ? [] : await filter(namesakes, ({ entry }) => isSameDocument(archive, entry, document));
    if (kept) namesakes.splice(namesakes.indexOf(kept), 1);
    else await media.removeDocument(actor, topicId, document.id);
  }
  return true;
}

async function filter<T>(values: T[], isWanted: (value: T) => Promise<boolean>): Promise<T[]> {
  const wanted: T[] = [];
  for (const value of values) if (await isWanted(value)) wanted.push(value);
  return wanted;
}

async function isSameDocument(
  archive: Archive | undefined,
  entry: ImportMedia['entry'],
  document: TopicMedia['documents'][number],
): Promise<boolean> {
  const file = archive?.entries.get(String(entry.file));
  return file !== undefined && document.description === entry.description && isSame(file, document);
}

async function isSame(file: ArchiveEntry, stored: { size: number; checksum: string } | null): Promise<boolean> {
  if (stored?.size !== file.size) return false;
  const checksum = checksums.get(file) ?? (await checksumOf(file));
  checksums.set(file, checksum);
  return stored.checksum === checksum;
}

// A file is compared with several documents.
const checksums = new WeakMap<ArchiveEntry, string>();

async function checksumOf(file: ArchiveEntry): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await file.open()) hash.update(chunk);
  return `sha256:${hash.digest('hex')}`;
}

/** The form in which media keeps the language of captions; it refuses those that have none. */
function canonicalLanguage(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? language;
  } catch {
    return language;
  }
}

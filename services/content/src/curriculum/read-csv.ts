import { maxLengths } from '@lms/contracts/text';
import { normalizeText } from '@lms/service/normalize-text';
import { CsvError, parse } from 'csv-parse';
import { checkItem, error, isIssue, type Kind, type ReadEntry } from './read-items.ts';

const kinds = ['level', 'grade', 'subject', 'topic'] as const;
const columns = [...kinds, 'description', 'content', 'category', 'externalId'];
const maxUnknownColumns = 100;
// Characters outside of the basic plane are two UTF-16 code units.
const maxNameUnits = 2 * maxLengths.name;
const maxRecordBytes = 6 * 1024 * 1024;
const encodingError = 'CSV_ENCODING';

type Row = Record<string, string>;

/**
 * Reads an outline with a row per item: the columns `level`, `grade`, `subject` and `topic` name it and its ancestors, the others
 * describe the last one named. Items that are created get the description that CSV cannot give for each of them.
 */
export async function* readCurriculumCsv(
  bytes: AsyncIterable<Uint8Array>,
  delimiter: string,
): AsyncGenerator<ReadEntry> {
  const numbers = new Map<string, number>();
  let names: string[] = [];
  const parser = parse({
    bom: true,
    info: true,
    trim: true,
    delimiter,
    // Without it, all lines would have to end as the first one does.
    record_delimiter: ['\r\n', '\n', '\r'],
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: maxRecordBytes,
    columns: (header: string[]) => {
      names = header.filter((name) => name !== '');
      return header.map((name) => (name === '' ? false : name));
    },
  });
  const feeding = feed(bytes, parser);
  let hasCheckedHeader = false;
  try {
    for await (const { record, info } of parser) {
      const location = `line ${info.lines}`;
      if (!hasCheckedHeader) yield* checkHeader(names);
      hasCheckedHeader = true;
      yield* readRow(readCells(record), location, numbers);
    }
    await feeding;
    if (!hasCheckedHeader) yield error('line 1', 'EMPTY', 'The file has no rows');
  } catch (cause) {
    parser.destroy();
    const { code, lines, message } = Object(cause);
    if (!(cause instanceof CsvError) && code !== encodingError) throw cause;
    yield error(`line ${lines ?? 1}`, 'INVALID_CSV', String(message).slice(0, 300));
  }
}

async function feed(bytes: AsyncIterable<Uint8Array>, parser: ReturnType<typeof parse>) {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes) {
      if (parser.destroyed) return;
      const isFull = !parser.write(decoder.decode(chunk, { stream: true }));
      if (isFull) await waitToWrite(parser);
    }
    parser.end(decoder.decode());
  } catch (cause) {
    const isEncoding = cause instanceof TypeError;
    parser.destroy(
      isEncoding
        ? Object.assign(new Error('The file must be UTF-8'), { code: encodingError })
        : new Error('The file cannot be read', { cause }),
    );
  }
}

const waitToWrite = (parser: ReturnType<typeof parse>) =>
  new Promise<void>((resolve) => {
    const proceed = () => {
      parser.off('drain', proceed).off('close', proceed);
      resolve();
    };
    parser.once('drain', proceed).once('close', proceed);
  });

function* checkHeader(names: string[]): Generator<ReadEntry> {
  const unknown = names.filter((name) => !columns.includes(name)).slice(0, maxUnknownColumns);
  for (const name of unknown)
    yield error('line 1', 'UNKNOWN_COLUMN', `${name.slice(0, 100)}: the columns are ${columns.join(', ')}`);
  const seen = new Set<string>();
  const repeated = names.find((name) => seen.size === seen.add(name).size);
  if (repeated !== undefined)
    yield error('line 1', 'DUPLICATE_COLUMN', `${repeated.slice(0, 100)}: the column is given twice`);
  if (!names.includes('level')) yield error('line 1', 'REQUIRED', 'The column level is required');
}

/** In NFC, without the apostrophe that exports put before what a spreadsheet would take for a formula. */
const readCells = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, text]) => [name, normalizeText(text.replace(/^'(?='*[=+\-@\t\r])/, ''))]),
  );

function* readRow(row: Row, location: string, numbers: Map<string, number>): Generator<ReadEntry> {
  const path = kinds.map((kind) => row[kind] ?? '');
  const depth = path.findLastIndex((name) => name !== '');
  if (depth < 0 || path.slice(0, depth).includes('')) {
    yield error(location, 'REQUIRED', 'Each row names a level, and every ancestor of its last item');
    return;
  }
  let parent: number | null = null;
  for (let at = 0; at <= depth; at += 1) {
    const kind: Kind = kinds[at] ?? 'level';
    const name = path[at] ?? '';
    const item = { kind, parent, location, listsChildren: false };
    if (name.length > maxNameUnits) {
      // It is not kept, so that memory does not grow with such names.
      const checked = checkItem({ ...item, number: 0, fields: { name }, defaults: {} });
      for (const entry of checked) if (isIssue(entry)) yield entry;
      return;
    }
    const key = `${parent} ${name}`;
    const known = numbers.get(key);
    if (known !== undefined && at === depth) {
      yield error(
        location,
        'DUPLICATE',
        'The item has a row, or rows below it, already: its own row comes first, once',
      );
      return;
    }
    const number: number = known ?? numbers.size + 1;
    if (known === undefined) {
      numbers.set(key, number);
      const own = at === depth ? row : {};
      yield* checkItem({
        ...{ ...item, number },
        fields: fieldsOf(kind, name, own),
        defaults: defaultsOf(kind, name, own),
      });
    }
    parent = number;
  }
}

function fieldsOf(kind: Kind, name: string, { description, content, category, externalId }: Row) {
  return {
    name,
    ...(description && { description }),
    ...(externalId && { externalId }),
    ...(content && kind === 'topic' && { content }),
    ...(category && kind === 'grade' && { level: category }),
  };
}

function defaultsOf(kind: Kind, name: string, { description }: Row) {
  const text = description || name;
  return {
    ...(kind !== 'grade' && { description: text }),
    ...(kind === 'grade' && { level: 'primary' }),
    ...(kind === 'topic' && { content: text }),
  };
}

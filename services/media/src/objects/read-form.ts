import { once } from 'node:events';
import { addAbortSignal, type Readable } from 'node:stream';
import { type FieldIssue, invalid } from '@lms/service/problems';
import { MalformedUpload } from './errors.ts';

/** A part of a form as it arrives; the bytes of a file must be read before the next part comes. */
export type Part =
  | { type: 'file'; fieldname: string; filename: string; file: Readable }
  | { type: 'field'; fieldname: string; value: unknown; valueTruncated: boolean };

export interface IncomingFile {
  fileName: string;
  bytes: AsyncIterable<Uint8Array>;
}

export interface FormPlan<T> {
  /** The name of the one file part. */
  file: string;
  /** The names of the text parts; others are ignored. */
  texts: readonly string[];
  /** Told of a text as soon as it is read; may throw to refuse the rest. */
  onText: (name: string, value: string) => Promise<unknown>;
  onFile: (file: IncomingFile) => Promise<T>;
  /** Ends the reading, wherever it is. */
  signal: AbortSignal;
}

/** The longest text part. */
export const maxTextBytes = 64 * 1024;

const isRequired = (field: string): FieldIssue => ({ field, message: 'is required' });

/** Reads a form whose parts come in any order; every named part must be there, once. */
export async function readForm<T>(parts: AsyncIterator<Part>, { file, texts, onText, onFile, signal }: FormPlan<T>) {
  const values = new Map<string, string>();
  let received: { value: T } | undefined;

  for (let part = await nextPart(parts, signal); part; part = await nextPart(parts, signal)) {
    if (part.type === 'file' && !texts.includes(part.fieldname)) {
      refuseUnless(part.fieldname === file, isRequired(file), { field: part.fieldname, message: 'is not a file part' });
      refuseUnless(received === undefined, { field: file, message: 'must be given once' });
      received = { value: await onFile({ fileName: part.filename, bytes: wellFormed(part.file) }) };
      continue;
    }
    const { fieldname: name } = part;
    refuseUnless(name !== file, { field: file, message: 'must be a file' });
    if (!texts.includes(name)) continue;
    refuseUnless(!values.has(name), { field: name, message: 'must be given once' });
    const value = await readText(part);
    values.set(name, value);
    await onText(name, value);
  }

  const [missing, ...others] = [file, ...texts].filter((name) => (name === file ? !received : !values.has(name)));
  if (missing !== undefined || !received) throw invalid(isRequired(missing ?? file), ...others.map(isRequired));
  return { object: received.value, texts: values };
}

// Browsers send a Blob as a file, and a part that says it is JSON arrives parsed: both mean a text.
async function readText(part: Part): Promise<string> {
  const tooLong = { field: part.fieldname, message: 'is too long' };
  if (part.type === 'field') {
    refuseUnless(!part.valueTruncated, tooLong);
    return typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of wellFormed(part.file)) {
    bytes += chunk.length;
    refuseUnless(bytes <= maxTextBytes, tooLong);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

// A form that ends in mid-file is found out by whoever reads the file.
async function* wellFormed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (cause) {
    throw new MalformedUpload({ cause });
  }
}

function refuseUnless(condition: boolean, ...issues: [FieldIssue, ...FieldIssue[]]) {
  if (!condition) throw invalid(...issues);
}

const limitCodes = ['FST_PARTS_LIMIT', 'FST_FIELDS_LIMIT', 'FST_FILES_LIMIT'];

async function nextPart(parts: AsyncIterator<Part>, signal: AbortSignal): Promise<Part | undefined> {
  try {
    const { done, value: part } = await unlessAborted(parts.next(), signal);
    if (done) return undefined;
    if (part.type === 'file') addAbortSignal(signal, part.file);
    return part;
  } catch (cause) {
    const { code } = Object(cause);
    if (limitCodes.includes(code)) throw invalid({ field: 'body', message: 'holds too many parts' });
    if (code === 'FST_INVALID_JSON_FIELD_ERROR') throw invalid({ field: 'metadata', message: 'must be JSON' });
    throw new MalformedUpload({ cause });
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const settled = new AbortController();
  const aborted = once(signal, 'abort', { signal: settled.signal }).then(() => Promise.reject(signal.reason));
  try {
    return await Promise.race([work, aborted]);
  } finally {
    settled.abort();
  }
}

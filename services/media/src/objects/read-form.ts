import { once } from 'node:events';
import { addAbortSignal, type Readable } from 'node:stream';
import { type FieldIssue, invalid } from '@lms/service/problems';
import { MalformedUpload } from './errors.ts';

/** A part as `@fastify/multipart` yields it. The bytes of a file must be read before the next part is requested. */
export type Part =
  | { type: 'file'; fieldname: string; filename: string | undefined; file: Readable }
  | { type: 'field'; fieldname: string; value: unknown; valueTruncated: boolean };

export interface FormFields {
  /** The name of the one file part. */
  fileField: string;
  /** The names of the text parts; other text parts are ignored. */
  textFields: readonly string[];
}

export interface FilePart {
  type: 'file';
  name: string;
  fileName: string;
  bytes: AsyncIterable<Uint8Array>;
}
interface TextPart {
  type: 'text';
  name: string;
  value: string;
}

export const maxTextBytes = 64 * 1024;

export const isRequired = (field: string): FieldIssue => ({ field, message: 'is required' });

/** Yields the parts of a form in the order in which they arrive. @throws 400 or 422 for unexpected and repeated parts */
export async function* readForm(
  parts: AsyncIterator<Part>,
  { fileField, textFields }: FormFields,
  signal: AbortSignal,
): AsyncGenerator<FilePart | TextPart> {
  const seen = new Set<string>();

  for (let part = await nextPart(parts, signal); part; part = await nextPart(parts, signal)) {
    const name = part.fieldname;
    if (part.type === 'file' && !textFields.includes(name)) {
      const unexpected = { field: name, message: 'is not a file part' };
      if (name !== fileField)
        throw seen.has(fileField) ? invalid(unexpected) : invalid(isRequired(fileField), unexpected);
      check(!seen.has(name), { field: name, message: 'must be given once' });
      seen.add(name);
      yield { type: 'file', name, fileName: unescapeName(part.filename ?? ''), bytes: readBytes(part.file) };
      continue;
    }
    check(name !== fileField, { field: name, message: 'must be a file' });
    if (!textFields.includes(name)) continue;
    check(!seen.has(name), { field: name, message: 'must be given once' });
    seen.add(name);
    yield { type: 'text', name, value: await readText(part) };
  }
}

// Browsers and curl escape a quotation mark and line breaks in file names, and nothing else.
const unescapeName = (name: string) => name.replaceAll(/%(?:22|0A|0D)/g, (escaped) => decodeURIComponent(escaped));

// Browsers send a Blob as a file, and @fastify/multipart parses a part of type JSON: both stand for a text.
async function readText(part: Part): Promise<string> {
  const tooLong = { field: part.fieldname, message: 'is too long' };
  if (part.type === 'field') {
    check(!part.valueTruncated, tooLong);
    return typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readBytes(part.file)) {
    size += chunk.length;
    check(size <= maxTextBytes, tooLong);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

// If the form ends in the middle of a file, the file stream fails, not the part iterator.
async function* readBytes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (cause) {
    throw new MalformedUpload({ cause });
  }
}

function check(condition: boolean, ...issues: [FieldIssue, ...FieldIssue[]]) {
  if (!condition) throw invalid(...issues);
}

const limitCodes = ['FST_PARTS_LIMIT', 'FST_FIELDS_LIMIT', 'FST_FILES_LIMIT'];

async function nextPart(parts: AsyncIterator<Part>, signal: AbortSignal): Promise<Part | undefined> {
  try {
    const { done, value: part } = await abortable(parts.next(), signal);
    if (done) return undefined;
    if (part.type === 'file') addAbortSignal(signal, part.file);
    return part;
  } catch (cause) {
    const { code } = Object(cause);
    if (limitCodes.includes(code)) throw invalid({ field: 'body', message: 'has too many parts' });
    if (code === 'FST_INVALID_JSON_FIELD_ERROR') throw invalid({ field: 'metadata', message: 'must be JSON' });
    throw new MalformedUpload({ cause });
  }
}

async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const settled = new AbortController();
  const aborted = once(signal, 'abort', { signal: settled.signal }).then(() => Promise.reject(signal.reason));
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    settled.abort();
  }
}

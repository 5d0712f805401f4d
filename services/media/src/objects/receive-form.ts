import type { Db } from '@lms/database/connect';
import { invalid } from '@lms/service/problems';
import type { Storage } from '../storage.ts';
import { UploadTooLarge } from './errors.ts';
import { type FormFields, isRequired, type Part, readForm } from './read-form.ts';
import { type FileOptions, type StoredFile, storeFile } from './store-file.ts';
import type { Upload } from './uploads.ts';

export interface FormOptions extends FormFields, FileOptions {
  /** Called for each text as soon as it is read; may throw to reject the upload before the rest arrives. */
  checkText?: (name: string, value: string) => Promise<unknown>;
}

/** Reads a form whose parts arrive in any order, and stores its file. @throws 422 if a part is missing */
export async function receiveForm(
  db: Db,
  storage: Storage,
  upload: Upload,
  parts: AsyncIterator<Part>,
  options: FormOptions,
) {
  const { fileField, textFields, checkText } = options;
  const texts = new Map<string, string>();
  let file: StoredFile | undefined;

  for await (const part of readForm(parts, options, upload.signal)) {
    if (part.type === 'file') {
      file = await storeFile(db, storage, upload, part, options);
    } else {
      texts.set(part.name, part.value);
      await checkText?.(part.name, part.value);
    }
  }

  const missingTexts = textFields.filter((name) => !texts.has(name)).map(isRequired);
  if (!file) throw invalid(isRequired(fileField), ...missingTexts);
  const [first, ...rest] = missingTexts;
  if (first) throw invalid(first, ...rest);
  return { file, texts };
}

/** Reads a form whose file is small, and is not stored as an object. @throws 413, 422 if the file is missing */
export async function receiveSmallForm(upload: Upload, parts: AsyncIterator<Part>, fields: FormFields) {
  const texts = new Map<string, string>();
  let bytes: Buffer | undefined;
  for await (const part of readForm(parts, fields, upload.signal)) {
    if (part.type === 'file') bytes = await readFile(upload, part.bytes);
    else texts.set(part.name, part.value);
  }
  if (!bytes) throw invalid(isRequired(fields.fileField));
  return { bytes, texts };
}

async function readFile({ maxBytes, bytesReceived }: Upload, bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    bytesReceived(chunk.length);
    if (size > maxBytes) throw new UploadTooLarge({ details: { maxBytes } });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

import type { Db } from '@lms/database/connect';
import { invalid } from '@lms/service/problems';
import type { Storage } from '../storage.ts';
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

import type { Db } from '@lms/database/connect';
import type { Storage } from '../storage.ts';
import { extensionOf, sanitizeFileName } from './file-name.ts';
import { type Part, readForm } from './read-form.ts';
import { sniffMimeType } from './sniff.ts';
import { storeFile } from './store-file.ts';
import type { Kind } from './table.ts';
import type { Upload } from './uploads.ts';

export interface ReceiveForm {
  parts: AsyncIterator<Part>;
  kind: Kind;
  /** The name of the file part. */
  file: string;
  /** The names of the text parts. */
  texts?: readonly string[];
  /** Told of a text as soon as it is read; may throw to refuse the rest. */
  onText?: (name: string, value: string) => Promise<unknown>;
  /** Throws to refuse a file before its bytes come. */
  checkExtension?: (extension: string) => void;
  /** The media type to store, given what the first bytes look like; throws to refuse the file. */
  decideType?: (extension: string, found: string) => string;
  maxBytes: number;
  uploadedBy: string;
  upload: Upload;
}

/** Reads an upload's form and brings its file into storage, under a new name that nobody can read yet. */
export function receiveForm(db: Db, storage: Storage, form: ReceiveForm) {
  const { parts, kind, file, texts = [], onText = async () => undefined, maxBytes, uploadedBy, upload } = form;
  return readForm(parts, {
    file,
    texts,
    onText,
    signal: upload.signal,
    onFile: async ({ fileName: given, bytes }) => {
      const fileName = sanitizeFileName(given) || kind;
      const extension = extensionOf(fileName);
      form.checkExtension?.(extension);
      const inspect = (head: Buffer) => {
        const found = sniffMimeType(head, extension);
        return form.decideType?.(extension, found) ?? found;
      };
      return storeFile(db, storage, { kind, field: file, fileName, bytes, uploadedBy, maxBytes, inspect, upload });
    },
  });
}

import { cut, normalizeText } from '@lms/service/normalize-text';

const maxLength = 255;
// Control characters, and bidirectional marks that can make a name display another extension.
const unprintable = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** The last path segment of a client's file name, safe to display and to send in a header; may be empty. */
export function sanitizeFileName(path: string): string {
  const segment = path.split(/[\\/]/).at(-1) ?? '';
  const name = normalizeText(segment.toWellFormed()).replaceAll(unprintable, '').trim();
  if (cut(name, maxLength) === name) return name;
  const extension = extensionOf(name);
  const tail = extension && extension.length < 20 ? `.${extension}` : '';
  return cut(name, maxLength - tail.length) + tail;
}

/** What follows the last dot, in lower case; empty if there is none. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  return dot < 0 ? '' : fileName.slice(dot + 1).toLowerCase();
}

const longest = 255;
// Controls, and the marks that turn text around so that a name shows another extension than it has.
const unprintable = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** The last segment of what a client calls its file, fit to be shown and sent back; may be empty. */
export function sanitizeFileName(given: string): string {
  const segment = given.split(/[\\/]/).at(-1) ?? '';
  const name = segment.toWellFormed().normalize('NFC').replaceAll(unprintable, '').trim();
  if (name.length <= longest) return name;
  const extension = extensionOf(name);
  const tail = extension && extension.length < 20 ? `.${extension}` : '';
  return `${name.slice(0, longest - tail.length)}${tail}`.toWellFormed();
}

/** What follows the last dot, in lower case; empty when there is none. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  return dot < 0 ? '' : fileName.slice(dot + 1).toLowerCase();
}

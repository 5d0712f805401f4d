import { matchSignature } from './signatures.ts';

const oleTypes: Record<string, string> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
};
const zipTypes: Record<string, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};
const officeFolders: Record<string, string | undefined> = {
  word: zipTypes.docx,
  xl: zipTypes.xlsx,
  ppt: zipTypes.pptx,
};
const textTypes: Record<string, string> = { csv: 'text/csv', md: 'text/markdown', json: 'application/json' };

/**
 * The media type of a file, from its first bytes. The extension only narrows it within one family: older Word and Excel
 * files share a container format, and CSV is text.
 */
export function sniffMimeType(head: Buffer, extension: string): string {
  const found = matchSignature(head);
  if (found === 'application/zip') return sniffZip(head) ?? zipTypes[extension] ?? found;
  if (found === 'application/x-ole-storage') return oleTypes[extension] ?? found;
  return found ?? sniffText(head, extension) ?? 'application/octet-stream';
}

// OpenDocument and EPUB files begin with an uncompressed `mimetype` entry, which ends where the next signature begins.
// Office files have a typical folder among their first entries; a name follows 26 bytes after the entry's signature.
function sniffZip(head: Buffer): string | undefined {
  const text = head.toString('latin1');
  const declared = /^mimetype(application\/(?:epub\+zip|vnd\.[\w.+-]+?))(?=PK|$)/.exec(text.slice(30))?.[1];
  const [, folder = ''] = /PK\p{Cc}{2}.{26}(word|xl|ppt)\//su.exec(text) ?? [];
  return declared ?? officeFolders[folder];
}

function sniffText(head: Buffer, extension: string): string | undefined {
  // Markup is recognized in Latin-1 as well.
  const start = new TextDecoder().decode(head).trimStart().toLowerCase();
  if (/^<(!doctype html|html|head|body|script|iframe)\b/.test(start)) return 'text/html';
  if (start.startsWith('<?xml') || start.startsWith('<svg') || start.startsWith('<!doctype svg'))
    return start.includes('<svg') ? 'image/svg+xml' : 'application/xml';
  return isText(head) ? (textTypes[extension] ?? 'text/plain') : undefined;
}

// Text is UTF-8 without control characters; the last character may be incomplete.
function isText(head: Buffer): boolean {
  try {
    return !/(?!\s)\p{Cc}/u.test(new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true }));
  } catch {
    return false;
  }
}

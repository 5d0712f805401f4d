import { matchSignature } from './signatures.ts';

const oldOffice: Record<string, string> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
};
const zipped: Record<string, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};
const officeFolders: Record<string, string | undefined> = { word: zipped.docx, xl: zipped.xlsx, ppt: zipped.pptx };
const texts: Record<string, string> = { csv: 'text/csv', md: 'text/markdown', json: 'application/json' };

/**
 * The media type of a file: its first bytes decide, and its extension only narrows what they leave open within one family
 * (a Word and an Excel file of old are the same container; a table is a text).
 */
export function sniffMimeType(head: Buffer, extension: string): string {
  const found = matchSignature(head);
  if (found === 'application/zip') return readZip(head) ?? zipped[extension] ?? found;
  if (found === 'application/x-ole-storage') return oldOffice[extension] ?? found;
  return found ?? readText(head, extension) ?? 'application/octet-stream';
}

// OpenDocument and EPUB say what they are in a first entry, stored as it is, up to the mark of what follows; of Office
// files a folder shows among the names of the first entries. A name stands 26 bytes behind its entry's mark.
function readZip(head: Buffer): string | undefined {
  const text = head.toString('latin1');
  const declared = /^mimetype(application\/(?:epub\+zip|vnd\.[\w.+-]+?))(?=PK|$)/.exec(text.slice(30))?.[1];
  const [, folder = ''] = /PK\p{Cc}{2}.{26}(word|xl|ppt)\//su.exec(text) ?? [];
  return declared ?? officeFolders[folder];
}

function readText(head: Buffer, extension: string): string | undefined {
  const text = decode(head);
  if (text === undefined) return undefined;
  const start = text
    .replace(/^\uFEFF/, '')
    .trimStart()
    .toLowerCase();
  if (/^<(!doctype html|html|head|body|script|iframe)\b/.test(start)) return 'text/html';
  if (start.startsWith('<?xml') || start.startsWith('<svg') || start.startsWith('<!doctype svg'))
    return start.includes('<svg') ? 'image/svg+xml' : 'application/xml';
  return texts[extension] ?? 'text/plain';
}

// Text is UTF-8 without control characters; the last character may be cut in half.
function decode(head: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return /(?!\s)\p{Cc}/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

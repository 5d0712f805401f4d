const shown = ['application/pdf', 'text/plain'];
const families = ['image/', 'audio/', 'video/'];

/** Whether a browser may show it in place; SVG can hold scripts, so it is always a download. */
export const isInline = (mimeType: string) =>
  mimeType !== 'image/svg+xml' && (shown.includes(mimeType) || families.some((family) => mimeType.startsWith(family)));

/** `Content-Disposition` with any name: plain ASCII for old clients, RFC 5987 beside it where that says less. */
export function contentDisposition(type: 'inline' | 'attachment', fileName: string): string {
  const ascii = fileName.replaceAll(/[^\x20-\x7E]/g, '?').replaceAll(/["\\%]/g, '_');
  const plain = `${type}; filename="${ascii}"`;
  return ascii === fileName ? plain : `${plain}; filename*=UTF-8''${encode(fileName)}`;
}

const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

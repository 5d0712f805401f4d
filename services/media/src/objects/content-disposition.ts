const inlineTypes = ['application/pdf', 'text/plain'];
const inlineFamilies = ['image/', 'audio/', 'video/'];

/** Whether browsers may display the type inline. SVG may contain scripts, so it never is. */
export const isInline = (mimeType: string) =>
  mimeType !== 'image/svg+xml' &&
  (inlineTypes.includes(mimeType) || inlineFamilies.some((family) => mimeType.startsWith(family)));

/** A `Content-Disposition` header for any file name: with an ASCII fallback, and RFC 5987 encoding where that differs. */
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

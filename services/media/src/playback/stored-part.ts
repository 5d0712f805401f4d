import type { StoredObject } from '../objects/table.ts';
import type { Rendition } from '../renditions/table.ts';
import { FileNotFound } from './errors.ts';

// The address contains the token, so a cached file is never sent to another user, nor for another video.
const cacheControl = 'private, max-age=900';

export const wholeObject = (object: StoredObject) => ({ ...object, cacheControl });

const partOf = (object: StoredObject, name: string, part: { offset: number; length: number; mimeType: string }) => ({
  ...wholeObject(object),
  fileName: name,
  mimeType: part.mimeType,
  offset: part.offset,
  size: part.length,
  // Each part of an object has its own ETag.
  checksum: `${object.checksum}-${name}`,
});

export const initializationPart = (object: StoredObject, { initLength }: Rendition) =>
  partOf(object, 'init.mp4', { offset: 0, length: initLength, mimeType: 'video/mp4' });

/** @param number the number of the segment, from 0 @throws 404 */
export function segmentPart(object: StoredObject, { segments }: Rendition, number: string) {
  const segment = /^(?:0|[1-9]\d{0,5})$/.test(number) ? segments[Number(number)] : undefined;
  if (!segment) throw new FileNotFound();
  return partOf(object, `${number}.m4s`, { ...segment, mimeType: 'video/iso.segment' });
}

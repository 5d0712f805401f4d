import type { Readable } from 'node:stream';
import { ObjectMissing, type Storage } from '../storage.ts';
import { type Download, type DownloadRequest, describeDownload } from './describe-download.ts';
import type { Downloadable } from './table.ts';

export interface OpenedDownload {
  object: Downloadable;
  download: Download;
  body: Readable | undefined;
}

/**
 * Opens the object that `find` returns. If it was replaced before its bytes were opened, calls `find` again, so that
 * headers and bytes always belong to the same object.
 */
export async function openDownload(
  storage: Storage,
  find: () => Promise<Downloadable>,
  request: DownloadRequest,
  missingId?: string,
): Promise<OpenedDownload> {
  const object = await find();
  const download = describeDownload(object, request);
  const { offset = 0 } = object;
  if (!download.range) return { object, download, body: undefined };
  const range = { start: offset + download.range.start, end: offset + download.range.end };
  try {
    return { object, download, body: await storage.open(object.key, range, request.signal) };
  } catch (error) {
    if (!(error instanceof ObjectMissing) || object.id === missingId) throw error;
    return openDownload(storage, find, request, object.id);
  }
}

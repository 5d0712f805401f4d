import type { Readable } from 'node:stream';
import { ObjectMissing, type Storage } from '../storage.ts';
import { type Download, type DownloadRequest, describeDownload } from './describe-download.ts';
import type { StoredObject } from './table.ts';

export interface OpenedDownload {
  download: Download;
  body: Readable | undefined;
}

/** Describes and opens what `find` names; when that goes in the meantime, what it names then. The head and the bytes are of one object. */
export async function openDownload(
  storage: Storage,
  find: () => Promise<StoredObject>,
  asked: DownloadRequest,
  tried?: string,
): Promise<OpenedDownload> {
  const object = await find();
  const download = describeDownload(object, asked);
  if (!download.range) return { download, body: undefined };
  try {
    return { download, body: await storage.open(object.key, download.range) };
  } catch (error) {
    if (!(error instanceof ObjectMissing) || object.id === tried) throw error;
    return openDownload(storage, find, asked, object.id);
  }
}

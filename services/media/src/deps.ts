import type { IncomingMessage } from 'node:http';
import type { VideoWithState } from '@lms/contracts/internal/content';
import type { Principal } from '@lms/contracts/passport';
import type { Database, Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import type { Access } from './access/access.ts';
import type { Objects } from './objects/create-objects.ts';
import type { Part } from './objects/read-form.ts';
import type { FileOptions } from './objects/store-file.ts';
import type { StoredObject } from './objects/table.ts';

/** What app.ts passes to the route plugins and use cases of videos and documents. */
export interface FeatureDeps {
  database: Pick<Database, 'db'>;
  content: Pick<ServiceClient, 'request'>;
  access: Access;
  objects: Objects;
  /** Reads the full state of a video. Call it with the lock of its topic, after the change. */
  readVideo: (db: Db, video: StoredObject) => Promise<VideoWithState>;
  /** Has a worker process a video that is being attached. */
  requestProcessing: (tx: Db, videoId: string) => Promise<unknown>;
  /** The public URL of the system, as clients see it. */
  publicUrl: string;
  maxVideoBytes: number;
  maxDocumentBytes: number;
}

export interface RequestContext {
  caller: Principal;
  /** Sent with internal requests. */
  callContext: CallContext;
  /** Recorded with events. */
  cause: Cause;
}

export interface UploadRequest extends RequestContext {
  raw: IncomingMessage;
  /** Starts parsing the multipart body. */
  parts: () => AsyncIterator<Part>;
}

/** Called in the transaction that finalizes an upload, with the data of the response. */
export type Attached = (tx: Db, data: object) => Promise<unknown>;

/** What differs between the kinds of files that can be uploaded in pieces. */
export interface UploadTarget {
  file: FileOptions;
  maxBytes: number;
  /** The status of the response to an upload that has succeeded. */
  statusCode: 200 | 201;
  /** What the metadata of an upload says about its file. @throws 404 or 422 */
  describe: (
    metadata: ReadonlyMap<string, string>,
    fileName: string,
  ) => { topicId?: string; name?: string; description?: string };
  /** Attaches a stored file to its topic. */
  attach: (
    topicId: string,
    offered: StoredObject,
    context: Pick<RequestContext, 'callContext' | 'cause'>,
    onAttached: Attached,
  ) => Promise<unknown>;
}

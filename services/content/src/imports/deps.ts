import type { Readable } from 'node:stream';
import type { Database, Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { Registry } from '@lms/telemetry/registry';
import type { Logger } from 'pino';
import type { Kind } from '../hierarchy/table.ts';
import type { MediaClient } from './media-client.ts';

/** What an import writes: the functions of the hierarchy, passed in by app.ts. */
export interface Outline {
  /** For the transaction that takes the structure lock. @throws 503 if too many others wait for it */
  inWriteSlot: <T>(work: () => Promise<T>) => Promise<T>;
  lockStructure: (tx: Db) => Promise<unknown>;
  writeNodes: (
    tx: Db,
    kind: Kind,
    nodes: {
      id: string;
      isNew: boolean;
      parentId: string | null;
      fields: Record<string, unknown> & { name: string };
    }[],
    options: { cause: Cause; formerNames: ReadonlyMap<string, string> },
  ) => Promise<{ created: number; updated: number; unchanged: number }>;
  /** Returns the number of deleted nodes. */
  deleteNode: (tx: Db, kind: Kind, id: string, cause: Cause) => Promise<number>;
  /** Those of topics that are not deleted. */
  listTopicMedia: (db: Db, topicIds: string[]) => Promise<Map<string, TopicMedia>>;
}

export interface TopicMedia {
  video: { size: number; checksum: string; captions?: { language: string }[] } | null;
  documents: { id: string; name: string; description: string; size: number; checksum: string }[];
}

export interface ImportDeps {
  database: Pick<Database, 'db'>;
  logger: Pick<Logger, 'warn' | 'error'>;
  registry?: Registry;
  outline: Outline;
  media: MediaClient;
  notifyRelay: () => void;
}

export interface ReceivedFile {
  fileName: string;
  bytes: Readable;
}

import type { Database } from 'local/databases';
import type { Storage } from 'media/storage';

/** Where a system keeps what must not get lost. */
export interface Places {
  /** To be entered as the owner, who may also migrate; for a backup it is enough to be able to read. */
  databases: Record<Database, string>;
  storage: Storage;
  natsUrl: string | undefined;
  redisUrl: string | undefined;
  /** The data directory of a local stack that has an identity provider of its own. */
  localState: string | undefined;
}

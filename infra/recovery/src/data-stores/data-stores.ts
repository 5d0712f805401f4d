import type { Database } from 'local/databases';
import type { Storage } from 'media/storage';

/** The data stores of a system. */
export interface DataStores {
  /** URLs of the owner roles. For a backup, roles that can read all tables are sufficient. */
  databases: Record<Database, string>;
  storage: Storage;
  natsUrl: string | undefined;
  redisUrl: string | undefined;
  /** The data directory of a local stack with a local identity provider. */
  localState: string | undefined;
}

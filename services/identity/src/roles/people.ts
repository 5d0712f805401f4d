import type { Changes } from '@lms/contracts/events/definition';
import type { UserStatus } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';

/** What roles need of the users' room. */
export interface People {
  /** Locks the user's row until the end of the transaction. @throws UserNotFound, UserGone */
  lock(tx: Db, userId: string): Promise<{ status: UserStatus }>;
  /** Rejects unless there is such a user. @throws UserNotFound */
  get(db: Db, userId: string): Promise<unknown>;
  /** Tells neighbours and the audit trail that somebody's roles have changed. */
  tellRoles(tx: Db, userId: string, told: { changes: Changes; cause: Cause }): Promise<unknown>;
}

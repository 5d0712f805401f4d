import type { Role } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { RecordChange } from '../audit-entry.ts';

/** What applications need of the rooms of users, roles and audit. */
export interface People {
  /** Locks the user's row until the end of the transaction. @throws UserNotFound, UserGone */
  lock(tx: Db, userId: string): Promise<unknown>;
  activeRoles(tx: Db, userId: string): Promise<Role[]>;
  /** Gives a role in a transaction that holds the user's lock, tells of it and records it. */
  grant(tx: Db, userId: string, role: Role, cause: Cause): Promise<unknown>;
  record: RecordChange;
}

import type { Role } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { RecordChange } from '../audit-entry.ts';

/** What mentor applications call of other features. */
export interface ApplicationDeps {
  /** Locks the user's row until the end of the transaction. @throws UserNotFound, UserDeleted */
  lockUser(tx: Db, userId: string): Promise<unknown>;
  listActiveRoles(tx: Db, userId: string): Promise<Role[]>;
  /** Assigns a role, publishes and records it. The transaction must hold the user's lock. */
  grantRole(tx: Db, userId: string, role: Role, cause: Cause): Promise<unknown>;
  recordChange: RecordChange;
}

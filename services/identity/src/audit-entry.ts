import type { Changes } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';

/** One change that an admin made. */
export interface AuditEntry {
  cause: Cause;
  /** Named like the event that tells of it: `user.updated`. */
  action: string;
  entity: string;
  entityId: string;
  changes: Changes;
}

/** Notes a change in the audit trail, in the transaction of the change. Every room of admins is handed this. */
export type RecordChange = (tx: Db, entry: AuditEntry) => Promise<unknown>;

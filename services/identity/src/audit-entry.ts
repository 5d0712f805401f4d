import type { Changes } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';

/** A change that an admin made. */
export interface AuditEntry {
  cause: Cause;
  /** Named like the event of the change: `user.updated`. */
  action: string;
  entity: string;
  entityId: string;
  changes: Changes;
}

/** Writes an entry to the audit trail, in the transaction of the change. */
export type RecordChange = (tx: Db, entry: AuditEntry) => Promise<unknown>;

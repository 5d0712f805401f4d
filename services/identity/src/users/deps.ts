import type { Plan } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { RecordChange } from '../audit-entry.ts';
import type { UserRow } from './repository.ts';

/** The settings that users need, and what they call of other features. */
export interface UserDeps {
  defaultPlan: Plan;
  /** Users who prove one of these e-mails become ADMIN. Normalized as by `normalizeEmail`. */
  adminEmails: ReadonlySet<string>;
  recordChange: RecordChange;
  /** Withdraws the user's pending mentor application. */
  withdrawApplications(tx: Db, userId: string, cause: Cause): Promise<unknown>;
  /** Removes the user's personal data from mentor applications and the audit trail. */
  redactUser(tx: Db, user: Pick<UserRow, 'id' | 'identityProviderId'>): Promise<unknown>;
}

import type { Role } from '@lms/contracts/passport';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { RecordChange } from '../audit-entry.ts';
import type { UserRoleRow, UserRow } from './repository.ts';

/** What users need of the roles' room. */
export interface RoleAssignments {
  /** Starts an assignment; an active one of the same role ends. */
  start(tx: Db, assignment: { userId: string; role: Role; assignedBy: string | null }): Promise<UserRoleRow>;
  endAll(tx: Db, userId: string): Promise<unknown>;
  /** Ends the roles that only admins give: all but LEARNER. */
  endGranted(tx: Db, userId: string): Promise<unknown>;
  /** Refuses unless somebody else is an active ADMIN; of two who ask at once, one waits for the other to end. */
  requireAnotherAdmin(tx: Db, userId: string): Promise<void>;
}

/** How this installation takes people in and lets them go. */
export interface UserDeps {
  defaultPlan: UserRow['plan'];
  /** Whose verified e-mail makes them an ADMIN when it first appears; in comparable form. */
  adminEmails: ReadonlySet<string>;
  roles: RoleAssignments;
  recordChange: RecordChange;
  /** Ends what somebody who leaves has open in other rooms. */
  withdrawApplications(tx: Db, userId: string, cause: Cause): Promise<unknown>;
  /** Takes somebody's personal data out of other rooms. */
  redactUser(tx: Db, user: Pick<UserRow, 'id' | 'identityProviderId'>): Promise<unknown>;
}

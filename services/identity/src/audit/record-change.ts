import type { Db } from '@lms/database/connect';
import type { AuditEntry } from '../audit-entry.ts';
import { audit } from './repository.ts';

/** Records a change made by an admin. Changes without an actor are made by the service itself and are not recorded. */
export async function recordChange(tx: Db, { cause, ...entry }: AuditEntry) {
  const { actorId, requestId = null } = cause;
  if (actorId) await audit(tx).insert({ ...entry, actorId, requestId });
}

import type { Db } from '@lms/database/connect';
import type { AuditEntry } from '../audit-entry.ts';
import { audit } from './repository.ts';

/** Notes what an admin changed; what the service does by itself is no admin's change. */
export async function recordChange(tx: Db, { cause, ...entry }: AuditEntry) {
  const { actorId, requestId = null } = cause;
  if (actorId) await audit(tx).insert({ ...entry, actorId, requestId });
}

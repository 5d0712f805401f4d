import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { ApplicationDecided, ApplicationNotFound } from './errors.ts';
import { appendApplicationEvent } from './events.ts';
import { type Application, applications } from './repository.ts';

/**
 * Withdraws the owner's pending application.
 * @throws ApplicationNotFound, also for another user's application; ApplicationDecided
 */
export function withdrawApplication(db: Db, id: string, ownerId: string, cause: Cause): Promise<Application> {
  return db.transaction(async (tx) => {
    const before = await applications(tx).find(id);
    if (before?.userId !== ownerId) throw new ApplicationNotFound();
    const withdrawn = await withdraw(tx, id, cause);
    if (!withdrawn) throw new ApplicationDecided({ details: { current: (await applications(tx).find(id))?.status } });
    return withdrawn;
  });
}

/** Withdraws the pending application of a user who is deleted or anonymized. The user's row must be locked. */
export async function withdrawPending(tx: Db, userId: string, cause: Cause) {
  for (const { id } of await applications(tx).listPending(userId)) await withdraw(tx, id, cause);
}

async function withdraw(tx: Db, id: string, cause: Cause): Promise<Application | undefined> {
  const withdrawn = await applications(tx).decide(id, { status: 'WITHDRAWN' });
  if (!withdrawn) return undefined;
  const changes = { status: { from: 'PENDING', to: 'WITHDRAWN' } };
  await appendApplicationEvent(tx, 'withdrawn', withdrawn, { changes, cause });
  return withdrawn;
}

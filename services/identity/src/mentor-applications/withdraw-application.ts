import { mentorApplicationEvents } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import { appendEvent, type Cause } from '@lms/events/append-event';
import { ApplicationDecided, ApplicationNotFound } from './errors.ts';
import { toApplicationState } from './presenter.ts';
import { type Application, applications } from './repository.ts';

/** Takes one's own pending application back. Another's is not there. @throws ApplicationNotFound, ApplicationDecided */
export function withdrawApplication(db: Db, id: string, ownerId: string, cause: Cause): Promise<Application> {
  return db.transaction(async (tx) => {
    const before = await applications(tx).find(id);
    if (before?.userId !== ownerId) throw new ApplicationNotFound();
    const withdrawn = await withdraw(tx, id, cause);
    if (!withdrawn) throw new ApplicationDecided({ details: { current: (await applications(tx).find(id))?.status } });
    return withdrawn;
  });
}

/** Withdraws what somebody who leaves has open. The user's row must be locked. */
export async function withdrawOpen(tx: Db, userId: string, cause: Cause) {
  for (const { id } of await applications(tx).findOpen(userId)) await withdraw(tx, id, cause);
}

async function withdraw(tx: Db, id: string, cause: Cause): Promise<Application | undefined> {
  const withdrawn = await applications(tx).decide(id, { status: 'WITHDRAWN' });
  if (!withdrawn) return undefined;
  const changes = { status: { from: 'PENDING', to: 'WITHDRAWN' } };
  const data = toApplicationState(withdrawn);
  await appendEvent(tx, mentorApplicationEvents.withdrawn, { aggregateId: id, data, changes, cause });
  return withdrawn;
}

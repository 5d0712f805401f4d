import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { conflict } from '@lms/service/problems';
import type { ApplicationDeps } from './deps.ts';
import { appendApplicationEvent } from './events.ts';
import { type Application, applications, type NewApplication } from './repository.ts';

/** @throws UserDeleted, Conflict if the user is a mentor or has a pending application */
export function applyAsMentor(
  db: Db,
  deps: ApplicationDeps,
  input: NewApplication,
  cause: Cause,
): Promise<Application> {
  const { userId } = input;
  return db.transaction(async (tx) => {
    await deps.lockUser(tx, userId);
    if ((await deps.listActiveRoles(tx, userId)).includes('MENTOR'))
      throw conflict({ resource: 'user-role', field: 'role', value: 'MENTOR' });
    const application = await applications(tx).insert(input);
    if (!application) throw conflict({ resource: 'mentor-application', field: 'userId', value: userId });
    await appendApplicationEvent(tx, 'submitted', application, { cause });
    return application;
  });
}

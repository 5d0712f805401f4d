import { mentorApplicationEvents } from '@lms/contracts/events/identity';
import type { Db } from '@lms/database/connect';
import { appendEvent, type Cause } from '@lms/events/append-event';
import { conflict } from '@lms/service/problems';
import type { People } from './people.ts';
import { toApplicationState } from './presenter.ts';
import { type Application, applications, type NewApplication } from './repository.ts';

/** @throws Conflict where the applicant is a mentor already, or has an open application; UserGone */
export function applyAsMentor(db: Db, people: People, given: NewApplication, cause: Cause): Promise<Application> {
  const { userId } = given;
  return db.transaction(async (tx) => {
    await people.lock(tx, userId);
    if ((await people.activeRoles(tx, userId)).includes('MENTOR'))
      throw conflict({ resource: 'user-role', field: 'role', value: 'MENTOR' });
    const application = await applications(tx).insert(given);
    if (!application) throw conflict({ resource: 'mentor-application', field: 'userId', value: userId });
    await appendEvent(tx, mentorApplicationEvents.submitted, {
      aggregateId: application.id,
      data: toApplicationState(application),
      cause,
    });
    return application;
  });
}

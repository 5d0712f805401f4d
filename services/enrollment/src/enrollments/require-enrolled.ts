import type { Db } from '@lms/database/connect';
import { EnrollmentRequired } from './errors.ts';
import { enrollments } from './repository.ts';

/** @throws EnrollmentRequired unless the user may learn in the subject right now */
export async function requireEnrolled(db: Db, userId: string, subjectId: string) {
  if (!(await enrollments(db).findActive(userId, subjectId))) throw new EnrollmentRequired({ details: { subjectId } });
}

/**
 * @param findSubject throws a 404 for a subject that does not exist, which goes before
 * @throws EnrollmentRequired unless the user may learn in the subject, or once could
 */
export async function requireOnceEnrolled(
  db: Db,
  userId: string,
  subjectId: string,
  findSubject: () => Promise<unknown>,
) {
  if (await enrollments(db).hasBeenEnrolled(userId, subjectId)) return;
  await findSubject();
  throw new EnrollmentRequired({ details: { subjectId } });
}

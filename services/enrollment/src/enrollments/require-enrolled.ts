import type { Db } from '@lms/database/connect';
import { EnrollmentRequired } from './errors.ts';
import { enrollments } from './repository.ts';

/** @throws EnrollmentRequired unless the user has an active enrollment in the subject */
export async function requireEnrolled(db: Db, userId: string, subjectId: string) {
  if (!(await enrollments(db).findActive(userId, subjectId))) throw new EnrollmentRequired({ details: { subjectId } });
}

/**
 * @param getSubject throws a 404 if the subject does not exist; a 404 takes precedence over the 403
 * @throws EnrollmentRequired unless the user is or was enrolled in the subject
 */
export async function requireOnceEnrolled(
  db: Db,
  userId: string,
  subjectId: string,
  getSubject: () => Promise<unknown>,
) {
  if (await enrollments(db).hasBeenEnrolled(userId, subjectId)) return;
  await getSubject();
  throw new EnrollmentRequired({ details: { subjectId } });
}

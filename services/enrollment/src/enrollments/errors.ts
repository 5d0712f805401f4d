import { defineProblem } from '@lms/service/problems';

export const EnrollmentNotFound = defineProblem('NOT_FOUND', 404, 'Enrollment not found');
export const SubjectGone = defineProblem('NOT_FOUND', 404, 'Subject not found');
export const UserGone = defineProblem('NOT_FOUND', 404, 'User not found');
/** `details.current` is the status that forbids the transition. */
export const InvalidState = defineProblem(
  'INVALID_STATE',
  409,
  'The enrollment is in a state that does not allow this',
);
export const EnrollmentRequired = defineProblem('ENROLLMENT_REQUIRED', 403, 'An enrollment in the subject is required');

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
export const EnrollmentChanged = defineProblem(
  'CONFLICT',
  409,
  'The enrollment was changed by others at the same time',
);
export const NotRoster = defineProblem(
  'UNSUPPORTED_MEDIA_TYPE',
  415,
  'The body must be text/csv in UTF-8 or multipart/form-data',
);
export const MalformedForm = defineProblem('VALIDATION_ERROR', 400, 'Validation failed', {
  field: 'body',
  message: 'must be well-formed multipart/form-data',
  value: null,
});
export const Interrupted = defineProblem('SERVICE_UNAVAILABLE', 503, 'The import was interrupted before this line');

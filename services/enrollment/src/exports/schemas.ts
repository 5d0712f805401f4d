import { errorResponses, Success } from '@lms/contracts/envelope';
import { PersonalData } from '@lms/contracts/internal/export';

export const exportOwnData = {
  operationId: 'exportOwnData',
  tags: ['internal'],
  summary: 'Everything held about the caller',
  description: "Asked by identity for the caller's profile export: `{enrollments, progress, notes}`.",
  security: [{ bearer: [] }],
  response: { 200: Success(PersonalData), ...errorResponses(401, 403, 503) },
} as const;

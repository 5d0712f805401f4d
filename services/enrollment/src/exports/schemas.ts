import { errorResponses, Success } from '@lms/contracts/envelope';
import { PersonalData } from '@lms/contracts/internal/export';

export const exportOwnData = {
  operationId: 'exportOwnData',
  tags: ['internal'],
  summary: "Export the caller's data",
  description: "For identity's profile export. Returns `{enrollments, progress, notes}`.",
  security: [{ bearer: [] }],
  response: { 200: Success(PersonalData), ...errorResponses(401, 403, 503) },
} as const;

import { errorResponses, Success } from '@lms/contracts/envelope';
import { PersonalData } from '@lms/contracts/internal/export';
import { Type } from '@sinclair/typebox';

export const exportOwnData = {
  operationId: 'exportOwnData',
  tags: ['internal'],
  summary: "Export the caller's data",
  description: "For identity's profile export. Returns `{enrollments, progress, notes}`.",
  security: [{ bearer: [] }],
  response: {
    200: {
      description: 'The data',
      content: { 'application/json': { schema: Type.Unsafe<unknown>(Success(PersonalData)) } },
    },
    ...errorResponses(401, 403, 503),
  },
} as const;

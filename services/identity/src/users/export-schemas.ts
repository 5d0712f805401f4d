import { errorResponses, Success } from '@lms/contracts/envelope';
import { OneOf, Timestamp } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';
import { User } from './schemas.ts';

const ServicePart = Type.Unknown({ description: 'The data of the service of the same name' });

const Export = Type.Object({
  exportedAt: Timestamp(),
  user: User,
  mentorApplications: Type.Array(Type.Unknown(), { description: 'The mentor applications of the caller' }),
  changes: Type.Array(Type.Unknown(), { description: 'Changes that admins made to the caller, oldest first' }),
  content: ServicePart,
  media: ServicePart,
  enrollment: ServicePart,
});

export const exportProfile = {
  operationId: 'exportProfile',
  tags: ['Account'],
  summary: 'Export all data about the caller',
  description:
    'Collects the data from all services, as one JSON document or, with `format=zip`, as a ZIP archive: `manifest.json` (`{version, createdAt, userId, files: [{name, count, size, sha256}]}`), `account.json`, `roles.json` (the history), `applications.json`, `changes.json` (by admins), `mentor-assignments.json`, `enrollments.json` (the history), `progress.json`, `notes.json`, and `uploads/documents.json`, `uploads/videos.json` and `uploads/captions.json`. The export is never partial: if a service is unavailable, the response is 503 and `details.missing` names it; so it does if the data of one service have more than 32 MiB, some thousand notes of full length.',
  security: [{ bearer: [] }],
  querystring: Type.Object({ format: OneOf(['json', 'zip'], { default: 'json' }) }),
  response: {
    200: {
      description: 'The data',
      content: {
        'application/json': { schema: Success(Type.Unsafe<Record<string, unknown>>(Export)) },
        'application/zip': { schema: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }) },
      },
    },
    ...errorResponses(401, 403, 422, 503),
  },
} as const;

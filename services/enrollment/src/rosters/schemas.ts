import { errorResponses } from '@lms/contracts/envelope';
import { EnrollmentStatus } from '@lms/contracts/events/enrollment';
import { Id, idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { Nullable, Timestamp } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';

const Learner = Type.Object(
  {
    user: Type.Object({
      id: Id,
      email: Type.String(),
      firstName: Nullable(Type.String()),
      lastName: Nullable(Type.String()),
    }),
    enrollment: Type.Object({
      id: Id,
      status: EnrollmentStatus,
      requestedAt: Timestamp(),
      decidedAt: Nullable(Timestamp()),
      expiresAt: Nullable(Timestamp()),
      endedAt: Nullable(Timestamp()),
    }),
    progress: Type.Object({
      total: Type.Integer({ description: "The subject's live topics" }),
      completed: Type.Integer(),
      percent: Type.Integer({ description: 'Rounded down; 0 without topics' }),
    }),
  },
  { title: 'Learner' },
);

export const listLearners = {
  operationId: 'listLearners',
  tags: ['learning'],
  summary: 'The learners of a subject and how far they are',
  description:
    "For administrators and the subject's own mentor (403 `FORBIDDEN` for other mentors). Those with an APPROVED enrollment, unless `status` asks for another state. `search` looks into names and e-mails. What was changed in the content a moment ago may be missing in the progress.",
  security: [{ bearer: [] }],
  params: idParams('Subject'),
  querystring: PageQuery(
    ['requestedAt', 'decidedAt', 'status', 'createdAt', 'updatedAt'],
    { sort: 'requestedAt', order: 'asc' },
    {
      status: Type.Unsafe<EnrollmentStatus>({ ...EnrollmentStatus, default: 'APPROVED' }),
      search: Search,
      ...dateFilters,
    },
  ),
  response: { 200: Page(Learner), ...errorResponses(401, 403, 404, 422, 503) },
} as const;

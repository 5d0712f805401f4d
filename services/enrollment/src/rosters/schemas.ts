import { errorResponses } from '@lms/contracts/envelope';
import { EnrollmentStatus } from '@lms/contracts/events/enrollment';
import { Id, idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { Nullable, Timestamp } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';
import { CsvFile, csvRules } from '../csv-routes.ts';

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
      total: Type.Integer({ description: "The number of the subject's live topics" }),
      completed: Type.Integer(),
      percent: Type.Integer({ description: 'Rounded down; 0 if there are no topics' }),
    }),
  },
  { title: 'Learner' },
);

const common = { tags: ['Mentors'], security: [{ bearer: [] }], params: idParams('Subject') };
const rules =
  'For administrators and the mentor of the subject; other mentors receive 403 `FORBIDDEN`. A deleted subject is found by administrators only. Contains APPROVED enrollments unless `status` selects another status. `search` matches names and e-mails. Changes to the content may appear in the progress with a short delay.';
const filters = {
  status: Type.Unsafe<EnrollmentStatus>({ ...EnrollmentStatus, default: 'APPROVED' }),
  search: Search,
  ...dateFilters,
};

export const listLearners = {
  ...common,
  operationId: 'listLearners',
  summary: 'List the learners of a subject with their progress',
  description: rules,
  querystring: PageQuery(
    ['requestedAt', 'decidedAt', 'status', 'createdAt', 'updatedAt'],
    { sort: 'requestedAt', order: 'asc' },
    filters,
  ),
  response: { 200: Page(Learner), ...errorResponses(401, 403, 404, 422, 503) },
} as const;

export const exportLearners = {
  ...common,
  operationId: 'exportLearners',
  summary: 'Download the learners of a subject with their progress as CSV',
  description: `Oldest first, with the filters of the list. ${rules} ${csvRules}`,
  querystring: Type.Object(filters),
  response: { 200: CsvFile, ...errorResponses(401, 403, 404, 422, 503) },
} as const;

/** The columns of the CSV file. */
export const learnerColumns = [
  'email',
  'firstName',
  'lastName',
  'userId',
  'enrollmentId',
  ...['status', 'requestedAt', 'decidedAt', 'expiresAt', 'endedAt'],
  ...['total', 'completed', 'percent'],
];

import { errorResponses, Success } from '@lms/contracts/envelope';
import { ApplicationStatus } from '@lms/contracts/events/identity';
import { Id, idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { maxLengths, Nullable, Text, Timestamp } from '@lms/contracts/text';
import { repeatable, repeatableRule } from '@lms/idempotency/idempotency';
import { Type } from '@sinclair/typebox';

const security = [{ bearer: [] }];
const LongText = Nullable(Text(maxLengths.description));
const Reason = Type.Optional(Nullable(Text(maxLengths.reason)));

const MentorApplication = Type.Object(
  {
    id: Id,
    userId: Id,
    status: ApplicationStatus,
    motivation: Nullable(Type.String()),
    experience: Nullable(Type.String()),
    qualifications: Nullable(Type.String()),
    subjectIds: Type.Array(Id, {
      description: 'Subjects that the applicant would like to teach. They are neither validated nor assigned',
    }),
    reviewedBy: Nullable(Type.String({ description: 'The id of the admin who decided' })),
    reviewedAt: Nullable(Timestamp()),
    reviewNote: Nullable(Type.String({ description: 'The note of an approval or the reason of a rejection' })),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  },
  { title: 'MentorApplication' },
);

const MentorSubmission = Type.Object(
  {
    ...MentorApplication.properties,
    user: Type.Object({
      id: Id,
      email: Type.String(),
      firstName: Nullable(Type.String()),
      lastName: Nullable(Type.String()),
    }),
  },
  { title: 'MentorSubmission' },
);

/** The `message` of each response. */
export const messages = {
  submitted: 'Application submitted',
  withdrawn: 'Application withdrawn',
  approved: 'Application approved',
  rejected: 'Application rejected',
};

export const applyAsMentor = {
  operationId: 'applyAsMentor',
  tags: ['Mentors'],
  summary: 'Apply to become a mentor',
  description:
    'Returns 409 `CONFLICT` if the caller is already a mentor or has a pending application. Rejected and withdrawn applicants can apply again.',
  security,
  body: Type.Object({
    motivation: Type.Optional(LongText),
    experience: Type.Optional(LongText),
    qualifications: Type.Optional(LongText),
    subjectIds: Type.Optional(Type.Array(Id, { maxItems: 100, uniqueItems: true })),
  }),
  response: { 201: Success(MentorApplication, messages.submitted), ...errorResponses(400, 401, 403, 409, 415, 422) },
} as const;

const newestFirst = { sort: 'createdAt', order: 'desc' } as const;
const oldestFirst = { sort: 'createdAt', order: 'asc' } as const;
const texts = '`motivation`, `experience`, `qualifications` and `reviewNote`';
const searchDescription = `\`search\` matches ${texts}, and the name and e-mail of the applicant.`;

export const listOwnMentorApplications = {
  operationId: 'listOwnMentorApplications',
  tags: ['Mentors'],
  summary: "List the caller's own applications, newest first",
  description: `\`search\` matches ${texts}.`,
  security,
  querystring: PageQuery(['createdAt'], newestFirst, {
    status: Type.Optional(ApplicationStatus),
    search: Search,
    ...dateFilters,
  }),
  response: { 200: Page(MentorApplication), ...errorResponses(401, 403, 422) },
} as const;

export const withdrawMentorApplication = {
  operationId: 'withdrawMentorApplication',
  tags: ['Mentors'],
  summary: 'Withdraw your own application',
  description:
    'PENDING → WITHDRAWN. Returns 409 `INVALID_STATE` with `details.current` in any other state, and 404 for the application of another user.',
  security,
  params: idParams('Mentor application'),
  response: { 200: Success(MentorApplication, messages.withdrawn), ...errorResponses(401, 403, 404, 409, 415) },
} as const;

export const listPendingMentorApplications = {
  operationId: 'listPendingMentorApplications',
  tags: ['Mentor review'],
  summary: 'List pending applications, oldest first',
  description: searchDescription,
  security,
  querystring: PageQuery(['createdAt'], oldestFirst, { search: Search, ...dateFilters }),
  response: { 200: Page(MentorSubmission), ...errorResponses(401, 403, 422) },
} as const;

export const listMentorApplications = {
  operationId: 'listMentorApplications',
  tags: ['Mentor review'],
  summary: 'List applications',
  description: searchDescription,
  security,
  querystring: PageQuery(['createdAt'], newestFirst, {
    status: Type.Optional(ApplicationStatus),
    userId: Type.Optional(Text(100, { minLength: 1 })),
    search: Search,
    ...dateFilters,
  }),
  response: { 200: Page(MentorSubmission), ...errorResponses(401, 403, 422) },
} as const;

export const getMentorApplication = {
  operationId: 'getMentorApplication',
  tags: ['Mentor review'],
  summary: 'Get an application',
  description: 'Returns an application in any state, with the applicant.',
  security,
  params: idParams('Mentor application'),
  response: { 200: Success(MentorSubmission), ...errorResponses(401, 403, 404) },
} as const;

const conflictDescription = `Returns 409 \`INVALID_STATE\` with \`details.current\` if the application is not PENDING; of two concurrent decisions one succeeds. The body is optional. ${repeatableRule}`;

export const approveMentorApplication = {
  ...repeatable,
  operationId: 'approveMentorApplication',
  tags: ['Mentor review'],
  summary: 'Approve an application',
  description: `PENDING → APPROVED. Assigns the role MENTOR in the same transaction. ${conflictDescription}`,
  security,
  params: idParams('Mentor application'),
  body: Type.Object({ note: Reason }),
  response: { 200: Success(MentorSubmission, messages.approved), ...errorResponses(400, 401, 403, 404, 409, 415, 422) },
} as const;

export const rejectMentorApplication = {
  ...repeatable,
  operationId: 'rejectMentorApplication',
  tags: ['Mentor review'],
  summary: 'Reject an application',
  description: `PENDING → REJECTED. Stores the reason as \`reviewNote\`. ${conflictDescription}`,
  security,
  params: idParams('Mentor application'),
  body: Type.Object({ reason: Reason }),
  response: { 200: Success(MentorSubmission, messages.rejected), ...errorResponses(400, 401, 403, 404, 409, 415, 422) },
} as const;

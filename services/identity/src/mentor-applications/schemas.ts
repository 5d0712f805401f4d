import { errorResponses, Success } from '@lms/contracts/envelope';
import { ApplicationStatus } from '@lms/contracts/events/identity';
import { Id, idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { maxLengths, Nullable, Text, Timestamp } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';

const security = [{ bearer: [] }];
const Prose = Nullable(Text(maxLengths.description));
const Reason = Type.Optional(Nullable(Text(maxLengths.reason)));

const MentorApplication = Type.Object(
  {
    id: Id,
    userId: Id,
    status: ApplicationStatus,
    motivation: Nullable(Type.String()),
    experience: Nullable(Type.String()),
    qualifications: Nullable(Type.String()),
    subjectIds: Type.Array(Id, { description: 'What the applicant would like to teach; not checked, not assigned' }),
    reviewedBy: Nullable(Type.String({ description: 'The deciding admin' })),
    reviewedAt: Nullable(Timestamp()),
    reviewNote: Nullable(Type.String({ description: 'The note of an approval, the reason of a rejection' })),
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

/** What the responses say was done. */
export const messages = {
  submitted: 'Application submitted',
  withdrawn: 'Application withdrawn',
  approved: 'Application approved',
  rejected: 'Application rejected',
};

export const applyAsMentor = {
  operationId: 'applyAsMentor',
  tags: ['mentor'],
  summary: 'Apply to become a mentor',
  description:
    '409 `CONFLICT` for who is a mentor already or has an open application; after a decision one may apply again.',
  security,
  body: Type.Object({
    motivation: Type.Optional(Prose),
    experience: Type.Optional(Prose),
    qualifications: Type.Optional(Prose),
    subjectIds: Type.Optional(Type.Array(Id, { maxItems: 100, uniqueItems: true })),
  }),
  response: { 201: Success(MentorApplication, messages.submitted), ...errorResponses(400, 401, 403, 409, 415, 422) },
} as const;

const newestFirst = { sort: 'createdAt', order: 'desc' } as const;
const oldestFirst = { sort: 'createdAt', order: 'asc' } as const;
const texts = '`motivation`, `experience`, `qualifications` and `reviewNote`';
const searchDescription = `\`search\` looks into ${texts}, and into the name and e-mail of the applicant.`;

export const listOwnMentorApplications = {
  operationId: 'listOwnMentorApplications',
  tags: ['mentor'],
  summary: "The caller's own applications, newest first",
  description: `\`search\` looks into ${texts}.`,
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
  tags: ['mentor'],
  summary: 'Take back an application of one’s own',
  description:
    'PENDING → WITHDRAWN; another state is 409 `INVALID_STATE` with `details.current`. Another’s application is a 404.',
  security,
  params: idParams('Mentor application'),
  response: { 200: Success(MentorApplication, messages.withdrawn), ...errorResponses(401, 403, 404, 409, 415) },
} as const;

export const listPendingMentorApplications = {
  operationId: 'listPendingMentorApplications',
  tags: ['mentor'],
  summary: 'Applications that wait for a decision, oldest first',
  description: searchDescription,
  security,
  querystring: PageQuery(['createdAt'], oldestFirst, { search: Search, ...dateFilters }),
  response: { 200: Page(MentorSubmission), ...errorResponses(401, 403, 422) },
} as const;

export const listMentorApplications = {
  operationId: 'listMentorApplications',
  tags: ['mentor'],
  summary: 'All applications',
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
  tags: ['mentor'],
  summary: 'One application',
  security,
  params: idParams('Mentor application'),
  response: { 200: Success(MentorSubmission), ...errorResponses(401, 403, 404) },
} as const;

const decided =
  '; of two admins at once one wins, and what is not PENDING is 409 `INVALID_STATE` with `details.current`.';

export const approveMentorApplication = {
  operationId: 'approveMentorApplication',
  tags: ['mentor'],
  summary: 'Approve an application',
  description: `PENDING → APPROVED, and the applicant is a MENTOR in the same transaction${decided} The body may be left out.`,
  security,
  params: idParams('Mentor application'),
  body: Type.Object({ note: Reason }),
  response: { 200: Success(MentorSubmission, messages.approved), ...errorResponses(400, 401, 403, 404, 409, 415, 422) },
} as const;

export const rejectMentorApplication = {
  operationId: 'rejectMentorApplication',
  tags: ['mentor'],
  summary: 'Reject an application',
  description: `PENDING → REJECTED, with the reason kept as \`reviewNote\`${decided} The body may be left out.`,
  security,
  params: idParams('Mentor application'),
  body: Type.Object({ reason: Reason }),
  response: { 200: Success(MentorSubmission, messages.rejected), ...errorResponses(400, 401, 403, 404, 409, 415, 422) },
} as const;

import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { Nullable, Timestamp } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';

// A hundred days: longer than any recording, and small enough to be exact as a number in every client.
const Seconds = Type.Number({ minimum: 0, maximum: 8_640_000, examples: [90] });

const topicProgress = {
  topicId: Id,
  completed: Type.Boolean(),
  completedAt: Nullable(Timestamp()),
  positionSeconds: Type.Number({ description: '0 until a position is reported' }),
  furthestSeconds: Type.Number({ description: 'The furthest reported position; it never decreases' }),
  durationSeconds: Nullable(Type.Number()),
};
const TopicProgress = Type.Object({ ...topicProgress, subjectId: Id }, { title: 'TopicProgress' });

const subjectProgress = {
  subjectId: Id,
  total: Type.Integer({ description: 'Live topics' }),
  completed: Type.Integer({ description: 'Live topics completed' }),
  percent: Type.Integer({ minimum: 0, maximum: 100, description: 'Rounded down; 0 if there are no topics' }),
  nextTopicId: Nullable(
    Type.String({ description: 'The first live topic that is not completed; null if there is none' }),
  ),
  topics: Type.Array(Type.Object(topicProgress)),
};
const SubjectProgress = Type.Object(subjectProgress, { title: 'SubjectProgress' });
const LearnedSubject = Type.Object(
  { ...subjectProgress, subject: Type.Object({ id: Id, name: Type.String(), gradeId: Id }) },
  { title: 'LearnedSubject' },
);

const common = { tags: ['Learning'], security: [{ bearer: [] }] };
const requiresEnrollment =
  'Returns 403 `ENROLLMENT_REQUIRED` unless the caller has an APPROVED enrollment in the subject, and 404 if the topic is unknown or not live.';
const onTopic = (message?: string) => ({
  ...common,
  params: idParams('Topic'),
  response: { 200: Success(TopicProgress, message), ...errorResponses(400, 401, 403, 404, 415, 422, 503) },
});
export const messages = { completed: 'Topic completed', reopened: 'Topic marked as not completed' };

export const completeTopic = {
  ...onTopic(messages.completed),
  operationId: 'completeTopic',
  summary: 'Mark a topic as completed',
  description: `Idempotent: \`completedAt\` is the time of the first call. ${requiresEnrollment}`,
} as const;

export const reopenTopic = {
  ...onTopic(messages.reopened),
  operationId: 'reopenTopic',
  summary: 'Mark a topic as not completed',
  description: `Idempotent. ${requiresEnrollment}`,
} as const;

export const keepPosition = {
  ...onTopic(),
  operationId: 'keepPosition',
  summary: "Save the playback position in the topic's video",
  description: `Returns 422 if \`positionSeconds\` is greater than \`durationSeconds\`. \`furthestSeconds\` never decreases. ${requiresEnrollment}`,
  body: Type.Object({ positionSeconds: Seconds, durationSeconds: Seconds }),
} as const;

const requiresPastEnrollment = 'Returns 403 `ENROLLMENT_REQUIRED` unless the caller is or was enrolled in the subject.';

export const getTopicProgress = {
  ...common,
  operationId: 'getTopicProgress',
  summary: "Get the caller's progress in a topic",
  description: requiresPastEnrollment,
  params: idParams('Topic'),
  response: { 200: Success(TopicProgress), ...errorResponses(401, 403, 404, 503) },
} as const;

export const getSubjectProgress = {
  ...common,
  operationId: 'getSubjectProgress',
  summary: "Get the caller's progress in a subject",
  description: `Counts live topics only. ${requiresPastEnrollment}`,
  params: idParams('Subject'),
  response: { 200: Success(SubjectProgress), ...errorResponses(401, 403, 404, 503) },
} as const;

export const listProgress = {
  ...common,
  operationId: 'listProgress',
  summary: "List the caller's progress in all subjects",
  description:
    'Every subject that the caller is or was enrolled in, sorted by name. `search` matches the name. For sorting and date filters, `createdAt` is the creation of the first enrollment in the subject and `updatedAt` the last change of an enrollment in it. Changes to the content may appear with a short delay.',
  querystring: PageQuery(
    ['name', 'createdAt', 'updatedAt'],
    { sort: 'name', order: 'asc' },
    { search: Search, ...dateFilters },
  ),
  response: { 200: Page(LearnedSubject), ...errorResponses(401, 403, 422, 503) },
} as const;

import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { Nullable, Timestamp } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';

// A hundred days: more than any recording, little enough to stay exact in every client's arithmetic.
const Seconds = Type.Number({ minimum: 0, maximum: 8_640_000, examples: [90] });

const topicProgress = {
  topicId: Id,
  completed: Type.Boolean(),
  completedAt: Nullable(Timestamp()),
  positionSeconds: Type.Number({ description: '0 before anything was reported' }),
  furthestSeconds: Type.Number({ description: 'The furthest position reported; it never shrinks' }),
  durationSeconds: Nullable(Type.Number()),
};
const TopicProgress = Type.Object({ ...topicProgress, subjectId: Id }, { title: 'TopicProgress' });

const subjectProgress = {
  subjectId: Id,
  total: Type.Integer({ description: 'Live topics' }),
  completed: Type.Integer({ description: 'Live topics completed' }),
  percent: Type.Integer({ minimum: 0, maximum: 100, description: 'Rounded down; 0 without topics' }),
  nextTopicId: Nullable(Type.String({ description: 'The first live topic in order that is not completed' })),
  topics: Type.Array(Type.Object(topicProgress)),
};
const SubjectProgress = Type.Object(subjectProgress, { title: 'SubjectProgress' });
const LearnedSubject = Type.Object(
  { ...subjectProgress, subject: Type.Object({ id: Id, name: Type.String(), gradeId: Id }) },
  { title: 'LearnedSubject' },
);

const common = { tags: ['learning'], security: [{ bearer: [] }] };
const enrolled =
  'For those with an APPROVED enrollment in the subject: 403 `ENROLLMENT_REQUIRED` for others. A topic that is unknown or not live is a 404.';
const onTopic = (message?: string) => ({
  ...common,
  params: idParams('Topic'),
  response: { 200: Success(TopicProgress, message), ...errorResponses(400, 401, 403, 404, 415, 422, 503) },
});
/** What the responses of changes say for people. */
export const messages = { completed: 'Topic completed', reopened: 'Topic marked as not completed' };

export const completeTopic = {
  ...onTopic(messages.completed),
  operationId: 'completeTopic',
  summary: 'Mark a topic as completed',
  description: `Idempotent: the first time counts. ${enrolled}`,
} as const;

export const reopenTopic = {
  ...onTopic(messages.reopened),
  operationId: 'reopenTopic',
  summary: 'Mark a topic as not completed',
  description: `Idempotent. ${enrolled}`,
} as const;

export const keepPosition = {
  ...onTopic(),
  operationId: 'keepPosition',
  summary: "Keep where the learner is in the topic's video",
  description: `\`positionSeconds\` is at most \`durationSeconds\` (422). \`furthestSeconds\` never shrinks. ${enrolled}`,
  body: Type.Object({ positionSeconds: Seconds, durationSeconds: Seconds }),
} as const;

const onceEnrolled = 'Readable for those who are or once were enrolled; 403 `ENROLLMENT_REQUIRED` for others.';

export const getTopicProgress = {
  ...common,
  operationId: 'getTopicProgress',
  summary: "The caller's progress in a topic",
  description: onceEnrolled,
  params: idParams('Topic'),
  response: { 200: Success(TopicProgress), ...errorResponses(401, 403, 404, 503) },
} as const;

export const getSubjectProgress = {
  ...common,
  operationId: 'getSubjectProgress',
  summary: "The caller's progress in a subject",
  description: `Counts live topics only. ${onceEnrolled}`,
  params: idParams('Subject'),
  response: { 200: Success(SubjectProgress), ...errorResponses(401, 403, 404, 503) },
} as const;

export const listProgress = {
  ...common,
  operationId: 'listProgress',
  summary: "The caller's progress in every subject",
  description:
    'Every subject that the caller is or once was enrolled in, by its name. `search` looks into the names. `createdAt` and `updatedAt`, of the sort and of the dates, are those of the first and of the last change to an enrollment in it. What was changed in the content a moment ago may be missing.',
  querystring: PageQuery(
    ['name', 'createdAt', 'updatedAt'],
    { sort: 'name', order: 'asc' },
    { search: Search, ...dateFilters },
  ),
  response: { 200: Page(LearnedSubject), ...errorResponses(401, 403, 422, 503) },
} as const;

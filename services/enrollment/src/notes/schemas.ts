import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idParams } from '@lms/contracts/ids';
import { dateFilters, Page, PageQuery, Search } from '@lms/contracts/pages';
import { maxLengths, Nullable, RequiredText, Timestamp } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';

const Note = Type.Object(
  {
    id: Id,
    userId: Id,
    topicId: Id,
    subjectId: Id,
    content: Type.String(),
    positionSeconds: Nullable(Type.Number({ description: 'The position in the video that the note refers to' })),
    createdAt: Timestamp(),
    updatedAt: Timestamp(),
  },
  { title: 'Note' },
);

const Content = RequiredText(maxLengths.note);
const PositionSeconds = Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 8_640_000, examples: [90] })));
const AnyId = Type.Optional(Type.String({ minLength: 1 }));
const sorts = ['createdAt', 'updatedAt'] as const;
const latestFirst = { sort: 'createdAt', order: 'desc' } as const;

export const messages = { created: 'Note created', updated: 'Note updated', deleted: 'Note deleted' };

const common = { tags: ['Learning'], security: [{ bearer: [] }] };

export const listNotes = {
  ...common,
  operationId: 'listNotes',
  summary: "List the caller's notes",
  description: 'Latest first; includes notes in subjects that the caller has left. `search` matches the content.',
  querystring: PageQuery(sorts, latestFirst, { topicId: AnyId, subjectId: AnyId, search: Search, ...dateFilters }),
  response: { 200: Page(Note), ...errorResponses(401, 403, 422, 503) },
} as const;

export const listTopicNotes = {
  ...common,
  operationId: 'listTopicNotes',
  summary: "List the caller's notes on a topic",
  description:
    'Returns 403 `ENROLLMENT_REQUIRED` unless the caller is or was enrolled in the subject, and 404 if the topic is unknown or not live, unless the caller has notes on it. `search` matches the content.',
  params: idParams('Topic'),
  querystring: PageQuery(sorts, latestFirst, { search: Search, ...dateFilters }),
  response: { 200: Page(Note), ...errorResponses(401, 403, 404, 422, 503) },
} as const;

export const writeNote = {
  ...common,
  operationId: 'writeNote',
  summary: 'Write a note on a topic',
  description:
    'Only the author can read the note; administrators cannot. Returns 403 `ENROLLMENT_REQUIRED` unless the caller has an APPROVED enrollment in the subject, and 404 if the topic is unknown or not live.',
  params: idParams('Topic'),
  body: Type.Object({ content: Content, positionSeconds: PositionSeconds }),
  response: { 201: Success(Note, messages.created), ...errorResponses(400, 401, 403, 404, 415, 422, 503) },
} as const;

export const changeNote = {
  ...common,
  operationId: 'changeNote',
  summary: "Change one of the caller's notes",
  description: 'Allowed after the enrollment has ended. Returns 404 for a note of another user.',
  params: idParams('Note'),
  body: Type.Object({ content: Type.Optional(Content), positionSeconds: PositionSeconds }, { minProperties: 1 }),
  response: { 200: Success(Note, messages.updated), ...errorResponses(400, 401, 403, 404, 415, 422, 503) },
} as const;

export const removeNote = {
  ...common,
  operationId: 'removeNote',
  summary: "Delete one of the caller's notes",
  description: 'Permanent. Allowed after the enrollment has ended. Returns 404 for a note of another user.',
  params: idParams('Note'),
  response: { 200: Success(Type.Object({ id: Id }), messages.deleted), ...errorResponses(401, 403, 404, 503) },
} as const;

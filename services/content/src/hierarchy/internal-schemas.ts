import { errorResponses, Success } from '@lms/contracts/envelope';
import { idOf, idParams } from '@lms/contracts/ids';
import {
  DocumentEntry,
  FoundSubjectsResponse,
  InternalSubjectResponse,
  InternalTopicsResponse,
  SubjectLookup,
  TopicAccessResponse,
  TopicDocumentResponse,
  TopicVideo,
  TopicVideoChange,
  TopicVideoChangeResponse,
  TopicVideoResponse,
} from '@lms/contracts/internal/content';
import { PersonalData } from '@lms/contracts/internal/export';
import { Type } from '@sinclair/typebox';

const internalRoute = { tags: ['internal'], security: [{ bearer: [] as string[] }], hide: true };
const subjectRoute = { ...internalRoute, params: idParams('Subject') };
const topicRoute = { ...internalRoute, params: idParams('Topic') };
const DocumentParams = Type.Object({ id: idOf('Topic'), documentId: idOf('Document') });

export const getInternalSubject = {
  ...subjectRoute,
  operationId: 'getInternalSubject',
  summary: 'Returns a subject in any state; a deleted one to administrators only',
  response: { 200: InternalSubjectResponse, ...errorResponses(401, 403, 404, 503) },
};

export const lookUpSubjects = {
  ...internalRoute,
  operationId: 'lookUpSubjects',
  summary: 'Finds many subjects by id or external id, in any state, including deleted',
  body: SubjectLookup,
  response: { 200: FoundSubjectsResponse, ...errorResponses(400, 401, 403, 415, 422, 503) },
};

export const listInternalTopics = {
  ...subjectRoute,
  operationId: 'listInternalTopics',
  summary: "Lists a subject's live topics in their order",
  response: { 200: InternalTopicsResponse, ...errorResponses(401, 403, 404, 503) },
};

export const getTopicAccess = {
  ...topicRoute,
  operationId: 'getTopicAccess',
  summary: 'Returns whether the caller may read and manage the protected content of a topic',
  querystring: Type.Object({ fresh: Type.Optional(Type.Boolean()) }),
  response: { 200: TopicAccessResponse, ...errorResponses(401, 403, 404, 503) },
};

export const setTopicVideo = {
  ...topicRoute,
  operationId: 'setTopicVideo',
  summary: 'Sets the video of a topic and returns the previous one',
  body: TopicVideo,
  response: { 200: TopicVideoResponse, ...errorResponses(400, 401, 403, 404, 415, 422, 503) },
};

export const removeTopicVideo = {
  ...topicRoute,
  operationId: 'removeTopicVideo',
  summary: 'Removes the video of a topic',
  response: { 200: TopicVideoResponse, ...errorResponses(401, 403, 404, 503) },
};

export const changeTopicVideoState = {
  ...topicRoute,
  operationId: 'changeTopicVideoState',
  summary: "Changes the state of a topic's current video",
  body: TopicVideoChange,
  response: { 200: TopicVideoChangeResponse, ...errorResponses(400, 401, 403, 404, 415, 422, 503) },
};

export const appendTopicDocument = {
  ...topicRoute,
  operationId: 'appendTopicDocument',
  summary: 'Appends a document to a topic',
  body: DocumentEntry,
  response: { 201: TopicDocumentResponse, ...errorResponses(400, 401, 403, 404, 409, 415, 422, 503) },
};

export const removeTopicDocument = {
  ...topicRoute,
  operationId: 'removeTopicDocument',
  summary: 'Removes a document from a topic',
  params: DocumentParams,
  response: { 200: TopicDocumentResponse, ...errorResponses(401, 403, 404, 503) },
};

export const exportPersonalData = {
  ...internalRoute,
  operationId: 'exportPersonalData',
  summary: 'Returns the personal data of the caller: the subjects assigned to them',
  response: { 200: Success(PersonalData), ...errorResponses(401, 403, 503) },
};

import { errorResponses, Success } from '@lms/contracts/envelope';
import { idOf, idParams } from '@lms/contracts/ids';
import {
  DocumentEntry,
  InternalSubjectResponse,
  InternalTopicsResponse,
  TopicAccessResponse,
  TopicDocumentResponse,
  TopicVideo,
  TopicVideoResponse,
} from '@lms/contracts/internal/content';
import { PersonalData } from '@lms/contracts/internal/export';
import { Type } from '@sinclair/typebox';

const internalRoute = { tags: ['internal'], security: [{ bearer: [] as string[] }], hide: true };
const ofSubject = { ...internalRoute, params: idParams('Subject') };
const ofTopic = { ...internalRoute, params: idParams('Topic') };
const DocumentParams = Type.Object({ id: idOf('Topic'), documentId: idOf('Document') });

export const getInternalSubject = {
  ...ofSubject,
  operationId: 'subjectForNeighbour',
  summary: 'A subject in whatever state, deleted included',
  response: { 200: InternalSubjectResponse, ...errorResponses(401, 403, 404, 503) },
};

export const listInternalTopics = {
  ...ofSubject,
  operationId: 'subjectTopicsForNeighbour',
  summary: "A subject's isLiveChild topics in their order",
  response: { 200: InternalTopicsResponse, ...errorResponses(401, 403, 404, 503) },
};

export const getTopicAccess = {
  ...ofTopic,
  operationId: 'topicAccess',
  summary: "What the caller may do with a topic's toProtectedContent",
  response: { 200: TopicAccessResponse, ...errorResponses(401, 403, 404, 503) },
};

export const setTopicVideo = {
  ...ofTopic,
  operationId: 'setTopicVideo',
  summary: "Sets a topic's video and tells what it was",
  body: TopicVideo,
  response: { 200: TopicVideoResponse, ...errorResponses(400, 401, 403, 404, 415, 422, 503) },
};

export const removeTopicVideo = {
  ...ofTopic,
  operationId: 'removeTopicVideo',
  summary: "Takes a topic's video off",
  response: { 200: TopicVideoResponse, ...errorResponses(401, 403, 404, 503) },
};

export const appendTopicDocument = {
  ...ofTopic,
  operationId: 'appendTopicDocument',
  summary: 'Appends a document entry',
  body: DocumentEntry,
  response: { 201: TopicDocumentResponse, ...errorResponses(400, 401, 403, 404, 415, 422, 503) },
};

export const removeTopicDocument = {
  ...ofTopic,
  operationId: 'removeTopicDocument',
  summary: 'Takes a document entry off',
  params: DocumentParams,
  response: { 200: TopicDocumentResponse, ...errorResponses(401, 403, 404, 503) },
};

export const exportPersonalData = {
  ...internalRoute,
  operationId: 'exportForNeighbour',
  summary: 'What is held about the caller: the subjects in their hands',
  response: { 200: Success(PersonalData), ...errorResponses(401, 403, 503) },
};

import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idOf } from '@lms/contracts/ids';
import { DocumentEntry } from '@lms/contracts/internal/content';
import { OneOf, RequiredText } from '@lms/contracts/text';
import { type Static, Type } from '@sinclair/typebox';
import { uploadRules } from '../transfer-routes.ts';

const Bytes = Type.Unsafe<unknown>({ type: 'string', format: 'binary' });
const Download = { description: 'The bytes', content: { '*/*': { schema: Bytes } } };

const documents = { tags: ['documents'], security: [{ bearer: [] as string[] }] };

export const uploadDocument = {
  ...documents,
  operationId: 'uploadDocument',
  summary: 'Upload a document to a topic',
  description: `multipart/form-data with the parts \`file\` (binary, any type, not empty), \`topicId\` and \`metadata\` (a JSON object with optional \`name\` and \`description\`; \`name\` defaults to the file name), in any order; unknown text parts are ignored. The stored type is told from the bytes, never from what the client says. Only admins and the mentor of the topic's subject may upload, at the beginning and at the end of the upload. The document is listed by the topic as soon as this is answered; an upload that fails leaves nothing. ${uploadRules}`,
  consumes: ['multipart/form-data'],
  body: Type.Object({
    file: Bytes,
    topicId: Id,
    metadata: Type.String({ description: 'JSON: `{"name"?, "description"?}`' }),
  }),
  response: { 201: Success(DocumentEntry), ...errorResponses(400, 401, 403, 404, 408, 413, 415, 422, 429, 503) },
};

export const StreamQuery = Type.Object({
  key: RequiredText(1_024, { description: 'The `key` of a document entry' }),
  download: Type.Optional(OneOf(['0', '1', 'false', 'true'], { description: '`1`: to be saved, not shown' })),
});
export type StreamQuery = Static<typeof StreamQuery>;

export const streamDocument = {
  ...documents,
  operationId: 'streamDocument',
  summary: 'Read a document',
  description:
    'The bytes, for admins, the mentor of the subject and learners enrolled in it. One byte range (206, or 416 with `Content-Range: bytes */size`), `If-Range` and conditional requests work as in RFC 9110; several ranges are answered with everything. PDF, images other than SVG, plain text, audio and video are shown inline; the rest, and all with `download=1`, are attachments.',
  querystring: StreamQuery,
  response: { 200: Download, 206: Download, 304: Type.Null(), ...errorResponses(401, 403, 404, 412, 416, 422, 503) },
};

export const headDocument = { ...streamDocument, operationId: 'headDocument', summary: 'The headers of a document' };

export const DocumentParams = Type.Object({ id: idOf('Topic'), docId: idOf('Document') });

export const removeDocument = {
  ...documents,
  operationId: 'removeDocument',
  summary: 'Remove a document from its topic',
  description: "For admins and the mentor of the subject. 404 when the document is another topic's.",
  params: DocumentParams,
  response: { 200: Success(Type.Object({ id: Id, topicId: Id })), ...errorResponses(401, 403, 404, 503) },
};

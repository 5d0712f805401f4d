import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idOf } from '@lms/contracts/ids';
import { DocumentEntry } from '@lms/contracts/internal/content';
import { maxLengths, OneOf, RequiredText } from '@lms/contracts/text';
import { documentsLimit } from '@lms/contracts/topic-documents';
import { type Static, Type } from '@sinclair/typebox';
import { uploadRules } from '../transfer-routes.ts';

const Bytes = Type.Unsafe<unknown>({ type: 'string', format: 'binary' });
const Download = { description: 'The file', content: { '*/*': { schema: Bytes } } };

const documents = { tags: ['Uploads'], security: [{ bearer: [] as string[] }] };

export const uploadDocument = {
  ...documents,
  operationId: 'uploadDocument',
  summary: 'Upload a document to a topic',
  description: `multipart/form-data with the parts \`file\` (binary, any type, not empty), \`topicId\` and \`metadata\` (a JSON object with optional \`name\` and \`description\`; \`name\` defaults to the file name), in any order. Unknown text parts are ignored. The stored media type is detected from the bytes; the type that the client declares is ignored. Only admins and the mentor of the topic's subject may upload; this is checked at the beginning and at the end of the upload. The topic lists the document as soon as the response is sent. ${documentsLimit} (409 \`CONFLICT\`). A failed upload leaves nothing behind. ${uploadRules}`,
  consumes: ['multipart/form-data'],
  body: Type.Object({
    file: Bytes,
    topicId: Id,
    metadata: Type.String({
      description: `JSON: \`{"name"?, "description"?}\`, of 1 to ${maxLengths.name} and at most ${maxLengths.description} characters (else 422)`,
    }),
  }),
  response: { 201: Success(DocumentEntry), ...errorResponses(400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 503) },
};

export const StreamQuery = Type.Object({
  key: RequiredText(1_024, {
    description: 'The `key` of a document entry',
    examples: ['documents/dc3r56vxhw90qmk7tbjygf1n'],
  }),
  download: Type.Optional(
    OneOf(['0', '1', 'false', 'true'], { description: '`1` or `true` sends the file as an attachment' }),
  ),
});
export type StreamQuery = Static<typeof StreamQuery>;

export const streamDocument = {
  ...documents,
  tags: ['Watching and reading'],
  operationId: 'streamDocument',
  summary: 'Download a document',
  description:
    'For admins, the mentor of the subject and learners enrolled in it. A single byte range (206, or 416 with `Content-Range: bytes */size`), `If-Range` and conditional requests work as in RFC 9110; a request for several ranges returns the whole file. PDF, images other than SVG, plain text, audio and video are sent inline. Other types, and all types with `download=1`, are sent as attachments.',
  querystring: StreamQuery,
  response: {
    200: Download,
    206: Download,
    304: Type.Null(),
    ...errorResponses(401, 403, 404, 412, 416, 422, 429, 503),
  },
};

export const headDocument = {
  ...streamDocument,
  operationId: 'headDocument',
  summary: 'Get the headers of a document',
};

export const DocumentParams = Type.Object({ id: idOf('Topic'), docId: idOf('Document') });

export const removeDocument = {
  ...documents,
  operationId: 'removeDocument',
  summary: 'Remove a document from its topic',
  description: 'For admins and the mentor of the subject. Returns 404 if the document belongs to another topic.',
  params: DocumentParams,
  response: { 200: Success(Type.Object({ id: Id, topicId: Id })), ...errorResponses(401, 403, 404, 503) },
};

import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idOf } from '@lms/contracts/ids';
import { DocumentEntry, VideoWithState } from '@lms/contracts/internal/content';
import { OneOf, Timestamp } from '@lms/contracts/text';
import { type TProperties, type TSchema, Type } from '@sinclair/typebox';
import { uploadRules } from '../../transfer-routes.ts';
import { tusVersion } from './errors.ts';
import { maxMetadataLength } from './headers.ts';

const Bytes = Type.Unsafe<unknown>({ type: 'string', format: 'binary' });

const TusResumable = Type.String({
  description: `The version of the protocol: \`${tusVersion}\``,
  examples: [tusVersion],
});
const UploadOffset = Type.String({ description: 'The number of bytes that are stored', examples: ['0'] });
const Metadata = (example: Record<string, string>) =>
  Type.String({
    description: `Pairs of a name and a Base64 value, separated by commas: \`filename\`, and for documents \`topicId\`, \`name\` and \`description\`. At most ${maxMetadataLength / 1_024} KiB (else 400)`,
    examples: [
      Object.entries(example)
        .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
        .join(','),
    ],
  });
const Checksum = Type.String({
  description:
    '`sha1` or `sha256`, a space and the Base64 digest of the body. The bytes count only if it matches (else 460).',
});
const Progress = Type.Object({
  id: Id,
  status: OneOf(['receiving', 'received'], {
    description: '`receiving`: bytes are missing; `received`: the file is being checked and attached',
  }),
  offset: Type.Integer({ description: 'The number of bytes that are stored' }),
  length: Type.Integer({ description: 'The size of the file' }),
  expiresAt: Timestamp({ description: 'When the upload is deleted, unless more bytes arrive' }),
});

const versions = Type.Object({ 'tus-resumable': TusResumable });
const offsets = { 'upload-offset': UploadOffset };
const expiry = {
  'upload-expires': Type.String({ description: 'When the upload is deleted, unless more bytes arrive' }),
};

/** A response without a body; the headers are part of the description. */
const Empty = (description: string, headers: Record<string, TSchema>) => ({
  type: 'null',
  description,
  headers: { 'tus-resumable': TusResumable, ...headers },
});

const kindsOfFile = {
  video: {
    files: 'videos',
    Kind: 'Video',
    file: 'a video',
    params: { id: idOf('Topic') },
    result: { 200: Success(Type.Object({ topicId: Id, videoUrl: Type.String(), video: VideoWithState })) },
    route: '`PUT /api/admin/education/topics/{id}/video`',
    metadata: { filename: 'number-line.mp4' },
  },
  document: {
    files: 'documents',
    Kind: 'Document',
    file: 'a document',
    params: {},
    result: { 201: Success(DocumentEntry) },
    route: '`POST /api/s3/document/upload`',
    metadata: { filename: 'whole-numbers.pdf', topicId: 'tz4a98xxat96iws9zmbrgj3a' },
  },
} as const;

const rules =
  'An upload belongs to the user who created it; for others it does not exist (404). It expires 24 hours after its last bytes.';

/** The schemas of the routes for resumable uploads of one kind of file. */
export function schemasOf(kind: keyof typeof kindsOfFile) {
  const { files, Kind, file, params, result, route, metadata } = kindsOfFile[kind];
  const collection: { tags: string[]; security: Record<string, string[]>[]; params?: TSchema } = {
    tags: ['Uploads'],
    security: [{ bearer: [] }],
    ...(Object.keys(params).length > 0 && { params: Type.Object(params) }),
  };
  const one = { ...collection, params: Type.Object({ ...params, uploadId: idOf('Upload') } satisfies TProperties) };
  return {
    describe: {
      ...collection,
      security: [{}],
      operationId: `describe${Kind}Uploads`,
      summary: `Describe resumable uploads of ${files}`,
      description: `The version, the extensions and the maximum size of resumable uploads (tus ${tusVersion}). A CORS preflight gets the usual response instead.`,
      response: {
        204: Empty('What the server supports', {
          'tus-version': Type.String(),
          'tus-extension': Type.String({ description: 'The supported extensions, separated by commas' }),
          'tus-max-size': Type.String({ description: 'The maximum size of a file in bytes' }),
          'tus-checksum-algorithm': Type.String(),
        }),
        ...errorResponses(429, 503),
      },
    },
    create: {
      ...collection,
      operationId: `create${Kind}Upload`,
      summary: `Begin a resumable upload of ${file}`,
      description: `Creates an upload by the protocol tus ${tusVersion}, which survives lost connections: send the bytes with PATCH requests to the URL in \`Location\`. The body is empty, or holds the first bytes (\`application/offset+octet-stream\`). Permission, monthly quota, size and extension are checked now, and all again at the end. At the end the file takes the same way as with ${route}; its response is the result of the upload. The upload counts once, when it has succeeded, against the monthly quota, and its creation against the rate limit of uploads. A user may have 50 unfinished uploads (else 429). ${rules}`,
      consumes: ['application/offset+octet-stream'],
      headers: Type.Object({
        'tus-resumable': TusResumable,
        'upload-length': Type.String({ description: 'The size of the file in bytes', examples: ['1048576'] }),
        'upload-metadata': Metadata(metadata),
        'upload-checksum': Type.Optional(Checksum),
      }),
      body: Bytes,
      response: {
        201: {
          ...Success(Progress),
          headers: {
            'tus-resumable': TusResumable,
            location: Type.String({ description: 'The path of the upload' }),
            ...offsets,
            ...expiry,
          },
        },
        ...errorResponses(400, 401, 403, 404, 408, 412, 413, 415, 422, 423, 429, 460, 503),
      },
    },
    head: {
      ...one,
      operationId: `head${Kind}Upload`,
      summary: `Get the offset of a resumable upload of ${file}`,
      description: `The offset from which to go on after a lost connection. Bytes that arrived before it broke are included. ${rules}`,
      headers: versions,
      response: {
        200: Empty('The state of the upload', {
          ...offsets,
          'upload-length': Type.String(),
          'upload-metadata': Metadata(metadata),
          ...expiry,
        }),
        ...errorResponses(401, 403, 404, 412, 429, 503),
      },
    },
    append: {
      ...one,
      operationId: `appendTo${Kind}Upload`,
      summary: `Send bytes of a resumable upload of ${file}`,
      description: `Appends the body at \`Upload-Offset\`, which has to be the offset of the upload (else 409; \`details.value\` is the right one). A request that arrives while another one sends bytes of the same upload waits three seconds for it, and gets 423 then. The request with the last bytes also checks and attaches the file, and waits some seconds for that; whether it succeeded is the result of the upload. Each request counts as a call. ${rules} ${uploadRules}`,
      consumes: ['application/offset+octet-stream'],
      headers: Type.Object({
        'tus-resumable': TusResumable,
        'upload-offset': UploadOffset,
        'upload-checksum': Type.Optional(Checksum),
      }),
      body: Bytes,
      response: {
        204: Empty('The bytes are stored', { ...offsets, ...expiry }),
        ...errorResponses(400, 401, 403, 404, 408, 409, 412, 413, 415, 423, 429, 460, 503),
      },
    },
    terminate: {
      ...one,
      operationId: `terminate${Kind}Upload`,
      summary: `End a resumable upload of ${file}`,
      description: `Deletes the upload and its bytes; a file that is attached already stays. Returns 423 while the file is being attached. ${rules}`,
      headers: versions,
      response: { 204: Empty('The upload is deleted', {}), ...errorResponses(401, 403, 404, 412, 423, 429, 503) },
    },
    result: {
      ...one,
      operationId: `get${Kind}UploadResult`,
      summary: `Get the result of a resumable upload of ${file}`,
      description: `202 until the upload is done, then the response of ${route}: the attached file, or the error that it would have got, such as 400 \`UNSUPPORTED_FORMAT\` or 403 for a mentor who has lost the subject. An error of the 4xx is final; after a 503 try again. Available for 24 hours. ${rules}`,
      response: {
        ...result,
        202: Success(Progress),
        ...errorResponses(400, 401, 403, 404, 409, 413, 422, 429, 503),
      },
    },
  };
}

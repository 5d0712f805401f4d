import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idOf, resourceKeyword } from '@lms/contracts/ids';
import { CaptionTrack, captionKinds } from '@lms/contracts/internal/content';
import { maxLengths, OneOf, Timestamp } from '@lms/contracts/text';
import { type Static, Type } from '@sinclair/typebox';
import { uploadRules } from '../transfer-routes.ts';

const CaptionParams = Type.Object({
  id: idOf('Topic'),
  language: Type.String({
    description: 'A BCP 47 language tag, such as `de` or `pt-BR`, in any case',
    examples: ['en'],
    [resourceKeyword]: 'Captions',
  }),
});
export type CaptionParams = Static<typeof CaptionParams>;

const captions = { tags: ['Uploads'], security: [{ bearer: [] as string[] }], params: CaptionParams };

export const uploadCaptions = {
  ...captions,
  operationId: 'uploadCaptions',
  summary: 'Add or replace captions of a video',
  description: `multipart/form-data with one file part \`captions\`: WebVTT or SubRip (recognized by its content), UTF-8, at most 2 MiB and 20,000 cues. Optional text parts, in any order: \`label\` (by default the name of the language in that language), \`kind\` (by default \`captions\`) and \`default\` (\`true\` or \`false\`; at most one track of a video is the default). The file is stored as WebVTT: SubRip is converted, and styles, comments and tags that WebVTT does not have are left out. A file that cannot be read returns 422; the message names the line. A video has at most 50 tracks, one for each language (409). Uploading the stored track again changes nothing. Its topic lists the tracks as soon as the response is sent. Replacing or removing the video removes its captions. ${uploadRules}`,
  consumes: ['multipart/form-data'],
  body: Type.Object({
    captions: Type.Unsafe<unknown>({ type: 'string', format: 'binary' }),
    label: Type.Optional(Type.String({ maxLength: maxLengths.name })),
    kind: Type.Optional(OneOf(captionKinds)),
    default: Type.Optional(OneOf(['true', 'false'])),
  }),
  response: {
    200: Success(
      Type.Object({
        topicId: Id,
        ...CaptionTrack.properties,
        url: Type.String(),
        checksum: Type.String({ description: 'SHA-256 of the stored WebVTT' }),
        uploadedAt: Timestamp(),
      }),
    ),
    ...errorResponses(400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 503),
  },
};

export const removeCaptions = {
  ...captions,
  operationId: 'removeCaptions',
  summary: 'Remove captions of a video',
  description: 'For admins and the mentor of the subject. Returns 404 if the video has no captions in the language.',
  response: {
    200: Success(Type.Object({ topicId: Id, language: Type.String() })),
    ...errorResponses(401, 403, 404, 503),
  },
};

export const CaptionQuery = Type.Object({
  playback: Type.Optional(Type.String({ description: 'The token of a playback URL, instead of a bearer token' })),
});
export type CaptionQuery = Static<typeof CaptionQuery>;

export const getCaptions = {
  ...captions,
  tags: ['Watching and reading'],
  security: [{ bearer: [] as string[] }, {}],
  operationId: 'getCaptions',
  summary: 'Get captions of a video',
  description:
    'WebVTT, for admins, the mentor of the subject and learners enrolled in it. With the `playback` parameter of a playback URL it needs no bearer token. For a `<track>` element, use the addresses in the response of the playback request.',
  querystring: CaptionQuery,
  response: {
    200: { description: 'WebVTT', content: { 'text/vtt': { schema: Type.String({ examples: ['WEBVTT\n'] }) } } },
    304: Type.Null(),
    ...errorResponses(401, 403, 404, 422, 503),
  },
};

export const headCaptions = {
  ...getCaptions,
  operationId: 'headCaptions',
  summary: 'Get the headers of captions of a video',
};

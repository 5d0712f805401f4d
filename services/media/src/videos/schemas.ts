import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idParams } from '@lms/contracts/ids';
import { VideoWithState } from '@lms/contracts/internal/content';
import { OneOf } from '@lms/contracts/text';
import { type Static, Type } from '@sinclair/typebox';
import { uploadRules } from '../transfer-routes.ts';

const Bytes = Type.Unsafe<unknown>({ type: 'string', format: 'binary' });
const Download = { description: 'The file', content: { '*/*': { schema: Bytes } } };

const videos = { tags: ['Uploads'], security: [{ bearer: [] as string[] }], params: idParams('Topic') };

export const replaceVideo = {
  ...videos,
  operationId: 'replaceVideo',
  summary: "Upload or replace a topic's video",
  description: `multipart/form-data with one file part \`video\`: mp4, webm, ogg, mov or avi, identified by its case-insensitive extension. A file whose first bytes are recognizably of another format (another of these five, mkv, PDF, ZIP, an image, HTML, an executable) returns 400; bytes of no known format are accepted. For mkv the error explains how to convert the file. Only admins and the mentor of the subject may upload; this is checked at the beginning and at the end of the upload. Readers see either the previous or the new video, never a part of each. A failed upload leaves nothing behind. ${uploadRules}`,
  consumes: ['multipart/form-data'],
  body: Type.Object({ video: Bytes }),
  response: {
    200: Success(Type.Object({ topicId: Id, videoUrl: Type.String(), video: VideoWithState })),
    ...errorResponses(400, 401, 403, 404, 408, 413, 415, 422, 429, 503),
  },
};

export const removeVideo = {
  ...videos,
  operationId: 'removeVideo',
  summary: "Remove a topic's video",
  description: 'For admins and the mentor of the subject. Returns 404 if the topic has no video.',
  response: { 200: Success(Type.Object({ id: Id, topicId: Id })), ...errorResponses(401, 403, 404, 503) },
};

export const VideoQuery = Type.Object({
  playback: Type.Optional(Type.String({ description: 'The token of a playback URL, instead of a bearer token' })),
  download: Type.Optional(
    OneOf(['0', '1', 'false', 'true'], { description: '`1` or `true` sends the file as an attachment' }),
  ),
});
export type VideoQuery = Static<typeof VideoQuery>;

export const streamVideo = {
  ...videos,
  tags: ['Watching and reading'],
  security: [{ bearer: [] as string[] }, {}],
  operationId: 'streamVideo',
  summary: "Download a topic's video",
  description:
    'For admins, the mentor of the subject and learners enrolled in it. A single byte range (206, or 416 with `Content-Range: bytes */size`), `If-Range` and conditional requests work as in RFC 9110; a request for several ranges returns the whole file. A playback URL, with its `playback` parameter, needs no bearer token. It returns 403 once it has expired, the user has lost access, or the video was replaced or removed, and 404 for a token that cannot be read.',
  querystring: VideoQuery,
  response: {
    200: Download,
    206: Download,
    304: Type.Null(),
    ...errorResponses(401, 403, 404, 412, 416, 422, 429, 503),
  },
};

export const headVideo = { ...streamVideo, operationId: 'headVideo', summary: "Get the headers of a topic's video" };

import { errorResponses, Success } from '@lms/contracts/envelope';
import { Id, idParams } from '@lms/contracts/ids';
import { Video } from '@lms/contracts/internal/content';
import { OneOf, Timestamp } from '@lms/contracts/text';
import { type Static, Type } from '@sinclair/typebox';
import { uploadRules } from '../transfer-routes.ts';

const Bytes = Type.Unsafe<unknown>({ type: 'string', format: 'binary' });
const Download = { description: 'The bytes', content: { '*/*': { schema: Bytes } } };

const videos = { tags: ['videos'], security: [{ bearer: [] as string[] }], params: idParams('Topic') };

export const replaceVideo = {
  ...videos,
  operationId: 'replaceVideo',
  summary: "Upload or replace a topic's video",
  description: `multipart/form-data with one file part \`video\`: mp4, webm, ogg, mov or avi, by its extension in any case. A file whose first bytes are recognisably of another format (another of these five, mkv, PDF, ZIP, an image, HTML, a program) is refused with 400; bytes of no known format are accepted. mkv is refused with advice on converting it. For admins and the mentor of the subject, at the beginning and at the end of the upload. A replacement is seen whole or not at all; an upload that fails leaves nothing. ${uploadRules}`,
  consumes: ['multipart/form-data'],
  body: Type.Object({ video: Bytes }),
  response: {
    200: Success(Type.Object({ topicId: Id, videoUrl: Type.String(), video: Video })),
    ...errorResponses(400, 401, 403, 404, 408, 413, 415, 422, 429, 503),
  },
};

export const removeVideo = {
  ...videos,
  operationId: 'removeVideo',
  summary: "Remove a topic's video",
  description: 'For admins and the mentor of the subject. 404 when there is none.',
  response: { 200: Success(Type.Object({ id: Id, topicId: Id })), ...errorResponses(401, 403, 404, 503) },
};

export const VideoQuery = Type.Object({
  playback: Type.Optional(
    Type.String({ maxLength: 4_096, description: 'The token of a playback URL, instead of a bearer' }),
  ),
  download: Type.Optional(OneOf(['0', '1', 'false', 'true'], { description: '`1`: to be saved, not shown' })),
});
export type VideoQuery = Static<typeof VideoQuery>;

export const streamVideo = {
  ...videos,
  security: [{ bearer: [] as string[] }, {}],
  operationId: 'streamVideo',
  summary: "Watch a topic's video",
  description:
    'The bytes, for admins, the mentor of the subject and learners enrolled in it. One byte range (206, or 416 with `Content-Range: bytes */size`), `If-Range` and conditional requests work as in RFC 9110; several ranges are answered with everything. With the `playback` of a playback URL no bearer is needed; such a URL is for one video: after a replacement or removal it is answered 404, and 401 once it has expired.',
  querystring: VideoQuery,
  response: { 200: Download, 206: Download, 304: Type.Null(), ...errorResponses(401, 403, 404, 412, 416, 422, 503) },
};

export const headVideo = { ...streamVideo, operationId: 'headVideo', summary: "The headers of a topic's video" };

export const openPlayback = {
  ...videos,
  operationId: 'openPlayback',
  summary: "Get a URL that plays a topic's video",
  description:
    'For the entitled: a URL for a `<video>` tag, good for 15 minutes without a header. It stands for the caller and the present video: it ends when the video is replaced or removed, and when the caller loses access.',
  response: {
    200: Success(Type.Object({ url: Type.String(), expiresAt: Timestamp() })),
    ...errorResponses(401, 403, 404, 409, 422, 503),
  },
};

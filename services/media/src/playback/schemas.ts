import { errorResponses, Success } from '@lms/contracts/envelope';
import { idParams, resourceKeyword } from '@lms/contracts/ids';
import { CaptionTrack } from '@lms/contracts/internal/content';
import { Nullable, Timestamp } from '@lms/contracts/text';
import { type Static, Type } from '@sinclair/typebox';

const tags = ['Watching and reading'];
const Address = (description: string) => Nullable(Type.String({ description }));

export const openPlayback = {
  tags,
  security: [{ bearer: [] as string[] }],
  params: idParams('Topic'),
  operationId: 'openPlayback',
  summary: "Create addresses for playing a topic's video",
  description:
    'For users with access to the topic. Returns addresses for players, which cannot send an `Authorization` header. They work for 15 minutes; request new ones before that to play on. They are bound to the caller and the current video: they stop working within a second when the video is replaced or removed, and when the caller loses access.',
  response: {
    200: Success(
      Type.Object({
        url: Type.String({ description: 'The original file, for a `<video>` element' }),
        expiresAt: Timestamp(),
        expiresInSeconds: Type.Integer({
          description: 'How long the addresses work, for devices whose clock may be wrong',
          examples: [900],
        }),
        hls: Address('An HLS master playlist; null until the video is processed'),
        poster: Address('A JPEG image; null until the video is processed'),
        thumbnails: Address('WebVTT that names a part of an image for each moment, for previews while seeking'),
        captions: Type.Array(
          Type.Object({ ...CaptionTrack.properties, url: Type.String({ description: 'For a `<track>` element' }) }),
        ),
      }),
    ),
    ...errorResponses(401, 403, 404, 409, 422, 503),
  },
};

const token = Type.String({
  maxLength: 4_096,
  description: 'The token in the addresses of a playback',
  examples: ['pb-7f3a90c2e4'],
  [resourceKeyword]: 'Playback',
});
const TokenParams = Type.Object({ token });
const RenditionParams = Type.Object({
  token,
  rendition: Type.String({
    description: 'The height of the picture',
    examples: ['360'],
    [resourceKeyword]: 'File of the playback',
  }),
});
const SegmentParams = Type.Object({
  ...RenditionParams.properties,
  n: Type.String({
    description: 'The number of the segment, from 0',
    examples: ['0'],
    [resourceKeyword]: 'File of the playback',
  }),
});
const CaptionParams = Type.Object({
  token,
  language: Type.String({ description: 'A BCP 47 language tag', examples: ['en'], [resourceKeyword]: 'Captions' }),
});
export type TokenParams = Static<typeof TokenParams>;

const binary = Type.Unsafe<unknown>({ type: 'string', format: 'binary' });
const rules =
  'Needs no bearer token: the address carries its permission. Returns 403 once the playback has ended, because it has expired, the user has lost access, or the video was replaced or removed; and 404 for a token that cannot be read.';

const text = (mimeType: string) => ({
  200: { description: 'Text', content: { [mimeType]: { schema: Type.String() } } },
});
const bytes = (mimeType: string) => {
  const file = { description: 'The file', content: { [mimeType]: { schema: binary } } };
  return { 200: file, 206: file };
};

/** Declares the `GET` and the `HEAD` of a file. */
function fileRoute<P, R extends object>(name: string, summary: string, params: P, success: R) {
  const get = {
    tags,
    security: [{}],
    operationId: `getPlayback${name}`,
    summary: `Get ${summary}`,
    description: rules,
    params,
    response: { ...success, 304: Type.Null(), ...errorResponses(401, 403, 404, 412, 416, 429, 503) },
  };
  return { get, head: { ...get, operationId: `headPlayback${name}`, summary: `Get the headers of ${summary}` } };
}

const playlistType = 'application/vnd.apple.mpegurl';
export const masterPlaylist = fileRoute('Master', 'the list of renditions', TokenParams, text(playlistType));
export const mediaPlaylist = fileRoute('Playlist', 'the playlist of a rendition', RenditionParams, text(playlistType));
export const initialization = fileRoute(
  'Initialization',
  'the start of a rendition',
  RenditionParams,
  bytes('video/mp4'),
);
export const segment = fileRoute('Segment', 'a segment of a rendition', SegmentParams, bytes('video/iso.segment'));
export const poster = fileRoute('Poster', 'the poster', TokenParams, bytes('image/jpeg'));
export const thumbnails = fileRoute('Thumbnails', 'the preview track', TokenParams, text('text/vtt'));
export const sprite = fileRoute('Sprite', 'the preview images', TokenParams, bytes('image/jpeg'));
export const subtitles = fileRoute('Subtitles', 'the playlist of captions', CaptionParams, text(playlistType));
export const captions = fileRoute('Captions', 'captions', CaptionParams, text('text/vtt'));

export const services = ['identity', 'content', 'media', 'enrollment'] as const;
export type Service = (typeof services)[number];

/** Those that Fastify knows. */
export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** How the gateway handles the requests of a route. */
export interface Policy {
  /** The service that requests are forwarded to, or the gateway itself. */
  service: Service | 'gateway';
  /**
   * `public` and `optional` admit anonymous requests; the response of an `optional` route depends on the caller. A token
   * that is sent is verified everywhere, except where it is `ignored`.
   */
  auth: 'ignored' | 'public' | 'optional' | 'required';
  /** Which public limit counts its requests: by address, `playback` by the token in the path. */
  limit: 'general' | 'auth' | 'webhook' | 'playback' | 'none';
  maxBodyBytes: number;
  /** Uploads also have a rate limit by user and a monthly quota; the service limits their size. */
  isUpload?: boolean;
  /** Part of a resumable upload: an upload counts when the service says that one has succeeded. */
  isResumable?: boolean;
  /** Its clients expect the headers of the protocol tus in every response. */
  followsTus?: boolean;
  /** Bytes that may take any time, as those of uploads, but without their limits by user. */
  isTransfer?: boolean;
  /** The caller is looked up again, so that identity can store an e-mail that has changed at the provider. */
  refreshesCaller?: boolean;
  /** The response to anonymous requests may come from the cache of public reads. */
  isCacheable?: boolean;
  /** A successful request may change public reads. */
  changesContent?: boolean;
}

export interface Route extends Policy {
  method: string;
  path: string;
}

const jsonBytes = 256 * 1_024;
const topicBytes = 6 * 1_024 * 1_024;
// 2 MiB of captions or 4 MiB of a roster, and the form around them.
const captionBytes = 2.5 * 1_024 * 1_024;
const rosterBytes = 4 * 1_024 * 1_024 + 16 * 1_024;
const kinds = ['levels', 'grades', 'subjects', 'topics'];
const bodyOf = (kind: string) => (kind === 'topics' ? { maxBodyBytes: topicBytes } : {});

/** The limit of a path without a limit of its own. */
export const defaultLimit = (path: string) => (path.startsWith('/api/auth/') ? 'auth' : 'general');

/** Declares the routes of one or more paths: `('GET PUT', '/api/users/:id')`. */
const routesOf =
  (service: Policy['service'], auth: Policy['auth'], usual: Partial<Policy> = {}) =>
  (methods: string, paths: string, exceptions: Partial<Policy> = {}): Route[] =>
    paths.split(' ').flatMap((path) =>
      methods.split(' ').map((method) => ({
        method,
        path,
        service,
        auth,
        limit: defaultLimit(path),
        maxBodyBytes: jsonBytes,
        changesContent: ['content', 'media'].includes(service) && !['GET', 'HEAD', 'OPTIONS'].includes(method),
        ...usual,
        ...exceptions,
      })),
    );

const identity = routesOf('identity', 'required');
const publicRead = routesOf('content', 'optional', { isCacheable: true });
const content = routesOf('content', 'required');
const media = routesOf('media', 'required');
const upload = routesOf('media', 'required', { isUpload: true, maxBodyBytes: Number.POSITIVE_INFINITY });
// Anonymous to the gateway: a playback URL carries its own permission.
const original = routesOf('media', 'optional');
// The token in the path is the permission. Players send nothing else.
const player = routesOf('media', 'public', { limit: 'playback' });
const enrollment = routesOf('enrollment', 'required');

/** The routes of resumable uploads below a path. */
const resumable = (path: string): Route[] => [
  ...routesOf('media', 'ignored')('OPTIONS', path, { followsTus: true }),
  ...upload('POST', path, { isResumable: true, followsTus: true }),
  ...upload('PATCH', `${path}/:uploadId`, { isResumable: true, followsTus: true }),
  ...media('HEAD DELETE', `${path}/:uploadId`, { followsTus: true }),
  // Reads have to show the file as soon as its client knows that it is attached.
  ...media('GET', `${path}/:uploadId/result`, { isResumable: true, changesContent: true }),
];

/** Every endpoint of the public API. Anything else returns 404. */
export const routes: readonly Route[] = [
  routesOf('identity', 'optional')('POST', '/api/auth/sync', { refreshesCaller: true }),
  identity('GET PUT', '/api/auth/profile'),
  identity('GET', '/api/auth/profile/export'),
  identity('GET', '/api/users'),
  identity('GET PUT', '/api/users/:id'),
  identity('GET POST DELETE', '/api/users/:id/roles'),
  identity('POST', '/api/users/:id/anonymize'),
  identity('POST', '/api/mentor/apply /api/mentor/applications/:id/withdraw'),
  identity('GET', '/api/mentor/application'),
  identity('GET', '/api/admin/mentor /api/admin/mentor/pending /api/admin/mentor/:id'),
  identity('PUT', '/api/admin/mentor/:id/approve /api/admin/mentor/:id/reject'),
  identity('GET', '/api/admin/audit'),
  routesOf('identity', 'ignored')('POST', '/api/webhooks/identity', { limit: 'webhook' }),

  publicRead('GET', '/api/education/levels /api/education/levels/:id/grades'),
  publicRead('GET', '/api/education/grades/:id/subjects /api/education/subjects/:id/topics'),
  publicRead('GET', '/api/education/tree /api/education/search /api/schemas/curriculum.json'),
  ...kinds.flatMap((kind) => [
    publicRead('GET', `/api/education/${kind}/:id`),
    content('GET POST', `/api/admin/education/${kind}`, bodyOf(kind)),
    content('PUT', `/api/admin/education/${kind}/reorder`),
    content('GET PUT DELETE', `/api/admin/education/${kind}/:id`, bodyOf(kind)),
    content('POST', `/api/admin/education/${kind}/:id/restore`),
  ]),
  content('PUT', '/api/admin/education/subjects/:id/mentor'),
  content('GET', '/api/mentor/subjects'),
  content('GET POST', '/api/admin/education/exports', { changesContent: false }),
  content('GET', '/api/admin/education/exports/:id'),
  // The address carries its own permission.
  routesOf('content', 'public')('GET', '/api/education/exports/:id/download'),
  content('POST', '/api/admin/education/imports', { isTransfer: true, maxBodyBytes: Number.POSITIVE_INFINITY }),
  content('GET', '/api/admin/education/imports /api/admin/education/imports/:id'),
  content('POST', '/api/admin/education/imports/:id/cancel'),

  upload('PUT', '/api/admin/education/topics/:id/video'),
  media('DELETE', '/api/admin/education/topics/:id/video'),
  original('GET', '/api/education/topics/:id/video /api/education/topics/:id/video/captions/:language'),
  media('POST', '/api/education/topics/:id/video/playback', { changesContent: false }),
  ...['master.m3u8', 'poster.jpg', 'thumbnails.vtt', 'sprite.jpg', 'captions/:language.vtt']
    .concat('captions/:language/playlist.m3u8', ':rendition/playlist.m3u8', ':rendition/init.mp4', ':rendition/:n.m4s')
    .map((file) => player('GET', `/api/playback/:token/${file}`)),
  media('GET', '/api/education/topics/:id/video/processing'),
  media('POST', '/api/admin/education/topics/:id/video/processing', { changesContent: false }),
  media('PUT', '/api/admin/education/topics/:id/video/captions/:language', { maxBodyBytes: captionBytes }),
  media('DELETE', '/api/admin/education/topics/:id/video/captions/:language'),
  resumable('/api/admin/education/topics/:id/video/uploads'),
  upload('POST', '/api/s3/document/upload'),
  resumable('/api/s3/document/uploads'),
  media('GET', '/api/s3/document/stream'),
  media('DELETE', '/api/admin/education/topics/:id/documents/:docId'),

  enrollment('POST', '/api/enrollment/request'),
  enrollment('GET', '/api/enrollment /api/enrollment/:id'),
  enrollment('POST', '/api/enrollment/:id/cancel /api/enrollment/:id/withdraw'),
  enrollment('GET POST', '/api/admin/enrollment'),
  enrollment('GET', '/api/admin/enrollment/pending /api/admin/enrollment.csv'),
  enrollment('POST', '/api/admin/enrollment/bulk'),
  enrollment('POST', '/api/admin/enrollment/imports', { maxBodyBytes: rosterBytes }),
  ...['approve', 'reject', 'revoke'].map((action) => enrollment('PUT', `/api/admin/enrollment/:id/${action}`)),
  enrollment('GET', '/api/mentor/subjects/:id/learners /api/mentor/subjects/:id/learners.csv'),
  enrollment('PUT DELETE', '/api/learning/topics/:id/completion'),
  enrollment('PUT', '/api/learning/topics/:id/position'),
  enrollment('GET', '/api/learning/topics/:id/progress /api/learning/subjects/:id/progress /api/learning/progress'),
  enrollment('GET POST', '/api/learning/topics/:id/notes'),
  enrollment('GET', '/api/learning/notes'),
  enrollment('PUT DELETE', '/api/learning/notes/:id'),

  routesOf('gateway', 'required')('GET', '/api/auth/usage'),
  routesOf('gateway', 'public', { limit: 'none' })('GET', '/ /api /api/openapi.json /api/docs /api/docs/*'),
  routesOf('gateway', 'ignored', { limit: 'none' })('GET', '/healthz /readyz'),
].flat();

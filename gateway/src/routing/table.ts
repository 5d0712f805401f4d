import type { Method, Route } from './route.ts';

type Traits = Partial<Pick<Route, 'limit' | 'maxBodyBytes' | 'storesEmail' | 'cacheable'>>;

const jsonBytes = 256 * 1_024;
const topicBytes = 6 * 1_024 * 1_024;
const kinds = ['levels', 'grades', 'subjects', 'topics'] as const;

const row =
  (upstream: Route['upstream'], token: Route['token'], traits: Traits = {}) =>
  (method: Method, path: string, more: Traits = {}): Route => ({
    method,
    path,
    upstream,
    token,
    limit: 'general',
    maxBodyBytes: jsonBytes,
    storesEmail: false,
    cacheable: false,
    ...traits,
    ...more,
  });

const account = row('identity', 'required', { limit: 'auth' });
const identity = row('identity', 'required');
const content = row('content', 'required');
const media = row('media', 'required');
const enrollment = row('enrollment', 'required');
// What these say of a topic depends on who asks; anonymous callers all get the same.
const outline = row('content', 'optional', { cacheable: true });
const upload = { limit: 'upload', maxBodyBytes: Number.POSITIVE_INFINITY } as const;

const identityRoutes = [
  row('identity', 'optional', { limit: 'auth', storesEmail: true })('POST', '/api/auth/sync'),
  account('GET', '/api/auth/profile'),
  account('PUT', '/api/auth/profile'),
  account('GET', '/api/auth/profile/export'),
  identity('GET', '/api/users'),
  identity('GET', '/api/users/:id'),
  identity('PUT', '/api/users/:id'),
  identity('GET', '/api/users/:id/roles'),
  identity('POST', '/api/users/:id/roles'),
  identity('DELETE', '/api/users/:id/roles'),
  identity('POST', '/api/users/:id/anonymize'),
  identity('POST', '/api/mentor/apply'),
  identity('GET', '/api/mentor/application'),
  identity('POST', '/api/mentor/applications/:id/withdraw'),
  identity('GET', '/api/admin/mentor'),
  identity('GET', '/api/admin/mentor/pending'),
  identity('GET', '/api/admin/mentor/:id'),
  identity('PUT', '/api/admin/mentor/:id/approve'),
  identity('PUT', '/api/admin/mentor/:id/reject'),
  identity('GET', '/api/admin/audit'),
  row('identity', 'ignored', { limit: 'webhook' })('POST', '/api/webhooks/identity'),
];

const contentRoutes = [
  outline('GET', '/api/education/levels'),
  outline('GET', '/api/education/levels/:id/grades'),
  outline('GET', '/api/education/grades/:id/subjects'),
  outline('GET', '/api/education/subjects/:id/topics'),
  ...kinds.map((kind) => outline('GET', `/api/education/${kind}/:id`)),
  outline('GET', '/api/education/tree'),
  outline('GET', '/api/education/search'),
  ...kinds.flatMap((kind) => {
    const body = kind === 'topics' ? { maxBodyBytes: topicBytes } : {};
    return [
      content('GET', `/api/admin/education/${kind}`),
      content('POST', `/api/admin/education/${kind}`, body),
      content('PUT', `/api/admin/education/${kind}/reorder`),
      content('GET', `/api/admin/education/${kind}/:id`),
      content('PUT', `/api/admin/education/${kind}/:id`, body),
      content('DELETE', `/api/admin/education/${kind}/:id`),
      content('POST', `/api/admin/education/${kind}/:id/restore`),
    ];
  }),
  content('PUT', '/api/admin/education/subjects/:id/mentor'),
  content('GET', '/api/mentor/subjects'),
];

const mediaRoutes = [
  media('PUT', '/api/admin/education/topics/:id/video', upload),
  media('DELETE', '/api/admin/education/topics/:id/video'),
  // Anonymous as far as the gateway can tell: a playback URL carries its own permission.
  row('media', 'optional')('GET', '/api/education/topics/:id/video'),
  media('POST', '/api/education/topics/:id/video/playback'),
  media('POST', '/api/s3/document/upload', upload),
  media('GET', '/api/s3/document/stream'),
  media('DELETE', '/api/admin/education/topics/:id/documents/:docId'),
];

const enrollmentRoutes = [
  enrollment('POST', '/api/enrollment/request'),
  enrollment('GET', '/api/enrollment'),
  enrollment('GET', '/api/enrollment/:id'),
  enrollment('POST', '/api/enrollment/:id/cancel'),
  enrollment('POST', '/api/enrollment/:id/withdraw'),
  enrollment('GET', '/api/admin/enrollment'),
  enrollment('POST', '/api/admin/enrollment'),
  enrollment('GET', '/api/admin/enrollment/pending'),
  enrollment('POST', '/api/admin/enrollment/bulk'),
  enrollment('PUT', '/api/admin/enrollment/:id/approve'),
  enrollment('PUT', '/api/admin/enrollment/:id/reject'),
  enrollment('PUT', '/api/admin/enrollment/:id/revoke'),
  enrollment('GET', '/api/mentor/subjects/:id/learners'),
  enrollment('PUT', '/api/learning/topics/:id/completion'),
  enrollment('DELETE', '/api/learning/topics/:id/completion'),
  enrollment('PUT', '/api/learning/topics/:id/position'),
  enrollment('GET', '/api/learning/topics/:id/progress'),
  enrollment('GET', '/api/learning/subjects/:id/progress'),
  enrollment('GET', '/api/learning/progress'),
  enrollment('GET', '/api/learning/topics/:id/notes'),
  enrollment('POST', '/api/learning/topics/:id/notes'),
  enrollment('GET', '/api/learning/notes'),
  enrollment('PUT', '/api/learning/notes/:id'),
  enrollment('DELETE', '/api/learning/notes/:id'),
];

const reference = row('gateway', 'public', { limit: 'none' });
const probe = row('gateway', 'ignored', { limit: 'none' });
const gatewayRoutes = [
  row('gateway', 'required', { limit: 'auth' })('GET', '/api/auth/usage'),
  reference('GET', '/api/openapi.json'),
  reference('GET', '/api/docs'),
  reference('GET', '/api/docs/*'),
  probe('GET', '/healthz'),
  probe('GET', '/readyz'),
];

/** Every endpoint of the public interface: who answers it and what the door asks for. */
export const routingTable: readonly Route[] = [
  ...identityRoutes,
  ...contentRoutes,
  ...mediaRoutes,
  ...enrollmentRoutes,
  ...gatewayRoutes,
];

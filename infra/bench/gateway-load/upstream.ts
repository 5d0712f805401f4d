// Stands for the services and the identity provider: a Fastify server that returns a list of twenty levels.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import Fastify from 'fastify';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const jwk = {
  ...createPublicKey(createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))).export({ format: 'jwk' }),
  kid: 'bench',
  use: 'sig',
};
const principal = {
  userId: 'tz4a98xxat96iws9zmbrgj3a',
  identityProviderId: 'bench',
  email: 'bench@lms.test',
  emailVerified: true,
  firstName: 'Ada',
  lastName: 'Byron',
  roles: ['LEARNER'],
  status: 'ACTIVE',
  plan: 'ENTERPRISE',
};
const level = {
  id: 'tz4a98xxat96iws9zmbrgj3a',
  name: 'Primary school',
  description: 'The first years, from reading to fractions.',
  imageUrl: null,
  isActive: true,
  position: 0,
  deletedAt: null,
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
};
const data = Array.from({ length: 20 }, (_, position) => ({ ...level, position }));
const pagination = { page: 1, limit: 20, total: 20, pages: 1, hasNext: false, hasPrev: false };
const list = { success: true, data, pagination };
const etag = `"${createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 27)}"`;

const app = Fastify();
app.get('/jwks', async () => ({ keys: [jwk] }));
/** Who has a token of `/token?sub=...`: a user with the plan FREE; without `sub` it is `principal`. */
const principalOf = (sub: string) =>
  sub === 'bench' ? principal : { ...principal, userId: sub, identityProviderId: sub, plan: 'FREE' };
app.post('/internal/principals', async ({ body }) => ({
  success: true,
  data: principalOf(Object(body).identityProviderId),
}));
app.get('/token', async ({ headers, query }) => {
  const { sub = 'bench' } = Object(query);
  const iat = Math.floor(Date.now() / 1_000);
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: `http://${headers.host}`, sub, iat, exp: iat + 3_600, email: principal.email };
  const input = `${encode({ alg: 'RS256', kid: 'bench', typ: 'JWT' })}.${encode(claims)}`;
  return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
});
app.get('/api/s3/document/stream', async (_request, reply) => {
  const chunk = Buffer.alloc(64 * 1_024);
  reply.hijack();
  let left = 200 * 1_024 * 1_024;
  const pump = () => {
    for (let room = true; room && left > 0 && !reply.raw.destroyed; left -= chunk.length) room = reply.raw.write(chunk);
    if (left > 0) reply.raw.once('drain', pump);
    else reply.raw.end();
  };
  reply.raw.writeHead(200, { 'content-length': left });
  pump();
});
app.get('/*', async (_request, reply) => reply.header('etag', etag).send(list));
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });

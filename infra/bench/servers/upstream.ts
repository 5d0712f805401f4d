// Stands for the identity provider, and for the services behind a gateway.
// A user's id at the provider is the one here, of 24 characters. Users whose id begins with "f" have the plan FREE.
import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import jwt from '@fastify/jwt';
import { testPrincipal } from '@lms/testing/principals';
import Fastify from 'fastify';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const jwk = { ...createPublicKey(publicKey).export({ format: 'jwk' }), kid: 'bench', use: 'sig', alg: 'RS256' };

const level = {
  ...{ id: 'tz4a98xxat96iws9zmbrgj3a', name: 'Primary school', imageUrl: null, isActive: true, deletedAt: null },
  ...{ description: 'The first years, from reading to fractions.', position: 0 },
  ...{ createdAt: '2026-01-31T12:00:00.000Z', updatedAt: '2026-01-31T12:00:00.000Z' },
};
const list = {
  success: true,
  data: Array.from({ length: 20 }, (_, position) => ({ ...level, position })),
  pagination: { page: 1, limit: 20, total: 20, pages: 1, hasNext: false, hasPrev: false },
};
const etag = `"${createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 27)}"`;

const app = Fastify();
await app.register(jwt, { secret: { private: privateKey, public: publicKey } });

app.get('/jwks', async () => ({ keys: [jwk] }));
app.get('/pem', async () => publicKey);
/** A token of the user, valid for two hours. */
app.get<{ Params: { userId: string } }>('/tokens/:userId', async ({ headers, params: { userId } }) =>
  app.jwt.sign(
    { sub: userId, email: `${userId}@lms.test`, email_verified: true },
    { algorithm: 'RS256', kid: 'bench', iss: `http://${headers.host}`, expiresIn: '2h' },
  ),
);
app.post<{ Body: { identityProviderId: string } }>('/internal/principals', async ({ body }) => {
  const userId = body.identityProviderId;
  const plan = userId.startsWith('f') ? 'FREE' : 'ENTERPRISE';
  return { success: true, data: { ...testPrincipal(['LEARNER'], { userId, plan }), identityProviderId: userId } };
});

/** 200 MB. */
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

import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import jwt from '@fastify/jwt';
import { testPrincipal } from '@lms/testing/principals';
import Fastify from 'fastify';

const levels = Array.from({ length: 20 }, (_, position) => ({
  ...{ id: 'tz4a98xxat96iws9zmbrgj3a', name: 'Primary school', imageUrl: null, isActive: true, deletedAt: null },
  ...{ description: 'The first years, from reading to fractions.', position },
  ...{ createdAt: '2026-01-31T12:00:00.000Z', updatedAt: '2026-01-31T12:00:00.000Z' },
}));
const pagination = { page: 1, limit: 20, total: 20, pages: 1, hasNext: false, hasPrev: false };
const list = { success: true, data: levels, pagination };
const etag = '"ppLr2ge05gHJx8dzm7zNyGBGPyD"';
const downloadBytes = 200 * 1_024 * 1_024;

/**
 * Stands for the identity provider, and for the services behind a gateway. It runs in this process, which does nothing else
 * meanwhile. A user's id at the provider is the one here, of 24 characters. Users whose id begins with "f" have the plan FREE.
 */
export async function openUpstream(stops: (() => unknown)[]) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const jwk = { ...createPublicKey(publicKey).export({ format: 'jwk' }), kid: 'bench', use: 'sig', alg: 'RS256' };
  const app = Fastify({ forceCloseConnections: true });
  await app.register(jwt, { secret: { private: privateKey, public: publicKey } });
  app.get('/jwks', async () => ({ keys: [jwk] }));
  app.post<{ Body: { identityProviderId: string } }>('/internal/principals', async ({ body }) => {
    const userId = body.identityProviderId;
    const plan = userId.startsWith('f') ? 'FREE' : 'ENTERPRISE';
    return { success: true, data: { ...testPrincipal(['LEARNER'], { userId, plan }), identityProviderId: userId } };
  });
  app.get('/api/s3/document/stream', (_request, reply) => {
    const chunk = Buffer.alloc(64 * 1_024);
    const chunks = Array<Buffer>(downloadBytes / chunk.length).fill(chunk);
    return reply.header('content-length', downloadBytes).send(Readable.from(chunks, { objectMode: false }));
  });
  app.get('/*', async (_request, reply) => reply.header('etag', etag).send(list));
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  stops.push(app.close);
  return {
    ...{ url, publicKey, settings: { IDP_ISSUER: url, IDP_JWKS_URL: `${url}/jwks` } },
    /** A token of the user, valid for two hours. */
    tokenOf: (userId: string) =>
      app.jwt.sign(
        { sub: userId, email: `${userId}@lms.test`, email_verified: true },
        { algorithm: 'RS256', kid: 'bench', iss: url, expiresIn: '2h' },
      ),
  };
}

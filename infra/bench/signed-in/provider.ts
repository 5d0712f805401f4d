// The provider and identity in one process: keys, tokens, and a principal for every token.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import Fastify from 'fastify';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const publicKey = createPublicKey(createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })));
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'bench', use: 'sig' };
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const app = Fastify();
app.get('/jwks', async () => ({ keys: [jwk] }));
app.get('/pem', async () => publicKey.export({ type: 'spki', format: 'pem' }).toString());
app.get<{ Params: { userId: string } }>('/tokens/:userId', async ({ headers, params: { userId } }) => {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = { iss: `http://${headers.host}`, sub: userId, iat, exp: iat + 7_200, email: `${userId}@lms.test` };
  const input = `${encode({ alg: 'RS256', kid: 'bench', typ: 'JWT' })}.${encode(claims)}`;
  return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
});
app.post<{ Body: { identityProviderId: string } }>('/internal/principals', async ({ body }) => ({
  success: true,
  data: {
    userId: body.identityProviderId,
    identityProviderId: body.identityProviderId,
    email: `${body.identityProviderId}@lms.test`,
    emailVerified: true,
    firstName: 'Ada',
    lastName: 'Byron',
    roles: body.identityProviderId.startsWith('a') ? ['ADMIN'] : ['LEARNER'],
    status: 'ACTIVE',
    plan: 'ENTERPRISE',
  },
}));
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });

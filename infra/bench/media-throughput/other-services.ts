import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { testPrincipal } from '@lms/testing/principals';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Stands for content, identity and the provider. It allows everything, so that only the transfer is measured. */
export function createOtherServices() {
  const admin = testPrincipal(['ADMIN'], { plan: 'ENTERPRISE' });
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'bench', use: 'sig', alg: 'RS256' }];

  const server = createServer(async (request, response) => {
    const body: unknown = JSON.parse((await text(request)) || '{}');
    const [, topicId] = /\/topics\/(\w+)/.exec(request.url ?? '') ?? [];
    const responses: Record<string, unknown> = {
      keys: { keys },
      principals: { success: true, data: admin },
      access: {
        success: true,
        data: { topicId, subjectId: topicId, read: { granted: true, reason: null }, manage: true },
      },
      video: { success: true, data: { topicId, previous: null } },
    };
    const { pathname } = new URL(request.url ?? '/', 'http://services');
    const reply = responses[pathname.split('/').at(-1) ?? ''] ?? { success: true, data: body };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });

  return {
    server,
    admin,
    /** A bearer token of the administrator, valid for an hour. */
    token(issuer: string): string {
      const iat = Math.floor(Date.now() / 1_000);
      const claims = { iss: issuer, sub: admin.identityProviderId, iat, exp: iat + 3_600 };
      const unsigned = `${encode({ alg: 'RS256', typ: 'JWT', kid: 'bench' })}.${encode(claims)}`;
      return `${unsigned}.${sign('RSA-SHA256', Buffer.from(unsigned), privateKey).toString('base64url')}`;
    },
  };
}

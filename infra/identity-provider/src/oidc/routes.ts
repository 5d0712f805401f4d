import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createLocalJWKSet, jwtVerify } from 'jose';
import type { Provider } from 'oidc-provider';
import { HttpError } from '../errors.ts';
import type { Account, Store } from '../store.ts';
import { claimsOf, resource } from './client.ts';
import type { Redirects } from './loopback.ts';

export interface Oidc {
  store: Store;
  issuer: () => string;
  redirects: Redirects;
  getProvider: () => Provider;
}

const providerPaths = ['/.well-known/*', '/jwks', '/authorize', '/authorize/*', '/logout', '/logout/*'];

const Parameters = Type.Record(Type.String(), Type.String());

/** The userinfo endpoint, JSON at the token endpoint, and the provider's own endpoints. */
export async function oidcRoutes(app: FastifyInstance, { deps }: { deps: Oidc }): Promise<void> {
  const { store, issuer, redirects, getProvider } = deps;

  // The provider reads its bodies itself, except for JSON, which it does not support.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_: FastifyRequest, text: string) =>
    parse(text),
  );

  app.setErrorHandler(async (error, _request, reply) => {
    if (!(error instanceof HttpError)) throw error;
    return reply.code(error.statusCode).send({ error: error.error, error_description: error.message });
  });

  app.options('/token', forwardToProvider);
  app.post('/token', async (request, reply) => {
    if (request.body !== undefined) {
      if (!Value.Check(Parameters, request.body)) throw invalidRequest();
      // The provider takes the fields of a form from a body that was already read.
      request.raw.headers['content-type'] = 'application/x-www-form-urlencoded';
      Object.assign(request.raw, { body: request.body });
    }
    return forwardToProvider(request, reply);
  });

  app.route({
    method: ['GET', 'POST', 'OPTIONS'],
    url: '/userinfo',
    handler: async (request, reply) => {
      const { origin, authorization } = request.headers;
      reply.header('vary', 'Origin').header('cache-control', 'no-store');
      if (origin && redirects.allowsOrigin(origin)) {
        reply.header('access-control-allow-origin', origin).header('access-control-allow-headers', 'authorization');
      }
      if (request.method === 'OPTIONS') return reply.code(204).send();
      const account = await findBearer(store, issuer(), authorization);
      if (account) return claimsOf(account);
      reply.header('www-authenticate', 'Bearer error="invalid_token"');
      return reply.code(401).send({ error: 'invalid_token', error_description: 'invalid or expired access token' });
    },
  });

  for (const path of providerPaths) app.all(path, forwardToProvider);

  function forwardToProvider(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    reply.hijack();
    getProvider().callback()(request.raw, reply.raw);
    return reply;
  }
}

const invalidRequest = () =>
  new HttpError(400, 'invalid_request', 'the body must be a form or a JSON object of strings');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest();
  }
}

/** The account of an access token, if the token is valid and the account still exists. */
async function findBearer(store: Store, issuer: string, authorization = ''): Promise<Account | undefined> {
  const [, token] = /^Bearer +([\w.-]+)$/i.exec(authorization) ?? [];
  if (!token) return undefined;
  const { keys, accounts } = store.read();
  const published = keys.map(({ kid, kty, alg, n, e }) => ({ kid, kty, alg, n, e }));
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: published }), {
      algorithms: ['RS256'],
      typ: 'at+jwt',
      issuer,
      audience: resource.audience,
      requiredClaims: ['exp', 'sub'],
    });
    return accounts.find(({ id }) => id === payload.sub);
  } catch {
    return undefined;
  }
}

import { requireActive } from '@lms/auth/require-role';
import { InvalidToken, MethodNotAllowed, Unauthorized } from '@lms/service/problems';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { addVary } from './browser-headers.ts';

const maxTokenLength = 8 * 1_024;
const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/** Checks each request in this order: rate limit, token, account, upload limit and monthly quota. */
export const admission = fp(async (app) => {
  app.decorateRequest('principal', null);
  app.decorateRequest('tokenClaims', null);

  app.addHook('onRequest', async (request, reply) => {
    const { service, auth = 'ignored', refreshesCaller, isMethodAllowed, allow = '' } = request.policy;
    if (auth === 'optional') addVary(reply, 'Authorization');

    // For a cached caller, the address and the quota are counted in one round trip to Redis.
    const token = auth === 'ignored' ? undefined : findToken(request);
    const claims = token === undefined ? undefined : app.tokens.getCached(token);
    const known = claims && !refreshesCaller ? app.principals.getCached(claims) : undefined;
    const counting = app.rateLimits.countAddress(request, reply);
    if (known?.status === 'ACTIVE') {
      request.principal = known;
      return allSettled([counting, ...countCaller(request, reply)]);
    }

    await counting;
    if (isMethodAllowed === false) throw new MethodNotAllowed({ headers: { allow } });
    if (service === undefined && !request.is404) return reply.callNotFound();
    if (auth === 'ignored') return;
    if (request.headers.authorization === undefined) {
      if (auth === 'required') throw new Unauthorized();
      return;
    }
    if (token === undefined) throw new InvalidToken();
    const verified = claims ?? (await app.tokens.verify(token));
    const find = refreshesCaller ? app.principals.refresh : app.principals.resolve;
    const principal =
      known ??
      (await find(verified, request.id).catch((error: unknown) => {
        if (!refreshesCaller || Object(error).code !== 'FORBIDDEN') throw error;
      }));
    requireActive(principal ?? null);
    // Without an account, identity decides whether the body can announce it.
    if (!principal) request.tokenClaims = verified;
    else request.principal = principal;
    await allSettled(countCaller(request, reply));
  });

  const countCaller = (request: FastifyRequest, reply: FastifyReply) => [
    app.rateLimits.countUpload(request, reply),
    app.quotas.charge(request, reply),
  ];
});

/** Waits for all, so that no command of a refused request is pending. @throws the first rejection */
async function allSettled(promises: (Promise<void> | undefined)[]) {
  for (const outcome of await Promise.allSettled(promises)) if (outcome.status === 'rejected') throw outcome.reason;
}

/** The bearer token of a request; undefined when there is none, or more than one, or something else. */
function findToken({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  const token = bearer.exec(authorization)?.[1];
  return token && token.length <= maxTokenLength ? token : undefined;
}

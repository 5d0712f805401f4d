import { METHODS } from 'node:http';
import { sendProblem } from '@lms/service/error-handler';
import { MethodNotAllowed } from '@lms/service/problems';
import fp from 'fastify-plugin';
import { type Policy, routes } from '../routes.ts';

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<Policy> {}
  interface FastifyRequest {
    /** The policy of its route; empty for unknown routes. */
    policy: Partial<Policy>;
  }
}

// The router lets the last parameter be empty.
const emptyParameter = /^[^?]+\/(?:\?|$)/;
// CONNECT never reaches the router.
const methods = METHODS.filter((method) => method !== 'CONNECT');

/** The methods of a path, for `Allow`. */
export function allowOf(url: string): string {
  const own = routes.filter(({ path }) => path === url).map(({ method }) => method);
  return [...new Set([...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');
}

/** Gives each route its policy from the table, and each path its OPTIONS and 405 responses. */
export const routePolicies = fp(async (app) => {
  // Fastify creates `request.routeOptions` again at each access.
  app.decorateRequest('policy');
  app.addHook('onRequest', (request, reply, done) => {
    request.policy = emptyParameter.test(request.url) ? {} : request.routeOptions.config;
    // Clients of the protocol do not read a response without it, not even an error of the gateway.
    if (request.policy.followsTus) reply.header('tus-resumable', '1.0.0');
    done();
  });
  const policies = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  const policyOf = (method: string, path: string) => policies.get(`${method} ${path}`);
  app.addHook('onRoute', (route) => {
    const method = [route.method].flat().find((method) => method !== 'HEAD') ?? 'GET';
    const path = route.url.startsWith('/api/docs/') ? '/api/docs/*' : route.url;
    const cors = method === 'OPTIONS' && { cors: { methods: allowOf(path) } };
    route.config = { ...(policyOf(method, path) ?? policyOf('HEAD', path)), ...cors, ...route.config };
  });

  for (const method of methods)
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  for (const url of new Set(routes.map(({ path }) => path))) {
    const own = routes.filter(({ path }) => path === url);
    const allow = allowOf(url);
    const known = allow.split(', ');
    const limit = own[0]?.limit === 'playback' ? 'playback' : 'general';
    const { followsTus = false } = own[0] ?? {};
    const gatewayPolicy = { service: 'gateway', auth: 'ignored', followsTus } as const;
    app.route({
      method: methods.filter((method) => !known.includes(method)),
      url,
      exposeHeadRoute: false,
      config: { ...gatewayPolicy, limit: own[0]?.limit ?? 'general' },
      // In a hook, because the handler runs after the body has been parsed.
      onRequest: (_request, reply) => void sendProblem(reply, new MethodNotAllowed({ headers: { allow } })),
      handler: () => undefined,
    });
    if (own.some(({ method }) => method === 'OPTIONS')) continue;
    app.route({
      method: 'OPTIONS',
      url,
      config: { ...gatewayPolicy, limit },
      handler: (_request, reply) => reply.code(204).header('allow', allow).send(),
    });
  }
});

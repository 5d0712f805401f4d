import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type Policy, routes } from '../routes.ts';

// The router lets the last parameter be empty.
const emptyParameter = /^[^?]+\/(?:\?|$)/;

/** The methods of a path, for `Allow`. */
export function allowOf(url: string): string {
  const own = routes.filter(({ path }) => path === url).map(({ method }) => method);
  return [...new Set([...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');
}

/** The policy of requests that the gateway itself responds to, whose method a path may not have. */
function ownPolicyOf(url: string): Partial<Policy> {
  const { limit = 'general', followsTus = false } = routes.find(({ path }) => path === url) ?? {};
  return { service: 'gateway', auth: 'ignored', limit, followsTus };
}

const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/?]+').replace('*', '.*')}(?:\\?|$)`);

/** Gives each route its policy from the table, and each path its OPTIONS and 405 responses. */
export const routePolicies = fp(async (app) => {
  const paths = [...new Set(routes.map(({ path }) => path))].map((path) => {
    const [allow, policy] = [allowOf(path), ownPolicyOf(path)];
    return { path, pattern: patternOf(path), allow, policy, refusal: { ...policy, notAllowed: allow } };
  });
  // Fastify has no routes for methods that it does not support.
  const refusalOf = ({ method, url }: FastifyRequest) =>
    app.supportedMethods.includes(method) ? {} : (paths.find(({ pattern }) => pattern.test(url))?.refusal ?? {});
  // Fastify creates `request.routeOptions` again at each access.
  app.decorateRequest('policy');
  app.addHook('onRequest', (request, reply, done) => {
    const { is404, url, routeOptions } = request;
    request.policy = is404 ? refusalOf(request) : emptyParameter.test(url) ? {} : routeOptions.config;
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

  for (const { path: url, allow, policy, refusal } of paths) {
    const others = app.supportedMethods.filter((method) => !allow.split(', ').includes(method));
    app.route({ method: others, url, exposeHeadRoute: false, config: refusal, handler: () => undefined });
    if (policyOf('OPTIONS', url)) continue;
    app.route({
      method: 'OPTIONS',
      url,
      config: { ...policy, limit: policy.limit === 'playback' ? 'playback' : 'general' },
      handler: (_request, reply) => reply.code(204).header('allow', allow).send(),
    });
  }
});

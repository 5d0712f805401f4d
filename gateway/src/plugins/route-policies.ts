import fp from 'fastify-plugin';
import { methods, type Policy, routes } from '../routes.ts';

/** The policy of a request: that of its route, or, for other methods of the path, one of the gateway itself. */
export interface RequestPolicy extends Policy {
  /** The methods of the path, for `Allow`. */
  allow: string;
  isMethodAllowed: boolean;
}

// The router lets the last parameter be empty.
const emptyParameter = /^[^?]+\/(?:\?|$)/;

/** Gives each path the policies of its methods as `config`, and each request its own. Responds to OPTIONS. */
export const routePolicies = fp(async (app) => {
  app.addHook('onRoute', (route) => {
    const policies = policiesOf(route.url.startsWith('/api/docs/') ? '/api/docs/*' : route.url);
    route.config = { policies, cors: { methods: policies.OPTIONS?.allow }, ...route.config };
  });

  app.decorateRequest('policy');
  app.addHook('onRequest', (request, reply, done) => {
    const { method, url, routeOptions } = request;
    // Fastify creates `request.routeOptions` again at each access.
    request.policy = (!emptyParameter.test(url) && routeOptions.config.policies?.[method]) || {};
    // Clients of the protocol do not read a response without it, not even an error of the gateway.
    if (request.policy.followsTus) reply.header('tus-resumable', '1.0.0');
    done();
  });
  app.addHook('preHandler', ({ method, policy, headers }, reply, done) => {
    if (method !== 'OPTIONS') return done();
    reply.header('allow', policy.allow);
    // A preflight succeeds whatever the state of the service.
    const isPreflight = headers['access-control-request-method'] !== undefined;
    if (policy.service === 'gateway' || isPreflight) reply.code(204).send();
    else done();
  });

  // The proxy registers all methods of the services' paths.
  const others = methods.filter((method) => method !== 'GET' && method !== 'HEAD');
  for (const { service, path: url } of routes)
    if (service === 'gateway') app.route({ method: others, url, handler: () => undefined });
});

/** The policies of a path by method; empty for unknown paths. */
function policiesOf(path: string): Record<string, RequestPolicy> {
  const own = new Map(routes.filter((route) => route.path === path).map((route) => [route.method, route]));
  const [first] = own.values();
  if (!first) return {};
  const get = own.get('GET');
  const allow = [...own.keys(), ...(get ? ['HEAD'] : []), ...(own.has('OPTIONS') ? [] : ['OPTIONS'])].join(', ');
  const { limit, followsTus = false } = first;
  const gateway = { service: 'gateway', auth: 'ignored', followsTus, maxBodyBytes: 0, allow } as const;
  const refused: RequestPolicy = { ...gateway, limit, isMethodAllowed: false };
  const optionsLimit = limit === 'playback' ? limit : 'general';
  const options: RequestPolicy = { ...gateway, limit: optionsLimit, isMethodAllowed: true };
  return Object.fromEntries(
    methods.map((method) => {
      const route = own.get(method) ?? (method === 'HEAD' ? get : undefined);
      if (route) return [method, { ...route, allow, isMethodAllowed: true }];
      return [method, method === 'OPTIONS' ? options : refused];
    }),
  );
}

import { createId } from '@paralleldrive/cuid2';
import type { Test } from 'tap';

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
type Method = (typeof methods)[number];
type Headers = Record<string, string>;

interface Sent {
  method: Method;
  url: string;
  headers: Headers;
  payload?: string;
}

/** The parts of a Fastify server with an OpenAPI document that are needed to call all operations. */
export interface DescribedServer {
  ready: () => PromiseLike<unknown>;
  swagger: () => { paths?: object };
  inject: (request: Sent) => Promise<{ statusCode: number; body: string }>;
}

export interface ErrorResponseOptions {
  /** The headers of a caller with all roles, and of one without any. */
  allowed: () => Headers;
  withoutRoles: () => Headers;
  /** The resource name for each path parameter, by the path up to it: `{'/api/users/{id}': 'User'}`; null if it is no id. */
  resources: Record<string, string | null>;
}

const invalidIds = ['x', '%20', 'X'.repeat(24), 'x'.repeat(5_000)];
const json = { 'content-type': 'application/json' };
const validationFailed = { code: 'VALIDATION_ERROR', error: 'Validation failed' };

/**
 * Calls every public operation of a service with invalid ids, missing roles and invalid bodies, and checks the errors: a
 * 404 names the resource, FORBIDDEN the roles, and VALIDATION_ERROR the field.
 */
export async function checkErrorResponses(t: Test, server: DescribedServer, options: ErrorResponseOptions) {
  const { allowed, withoutRoles, resources } = options;
  await server.ready();

  async function send(method: Method, url: string, headers: Headers, payload?: string) {
    const response = await server.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
    const { error, code, details } = JSON.parse(response.body);
    return { status: response.statusCode, error, code, details };
  }

  for (const { method, path, takesJson } of operationsOf(server.swagger().paths)) {
    const name = `${method} ${path}`;
    const url = fill(path);

    for (const [parameter, resource] of parametersOf(path, resources))
      for (const id of resource === null ? [] : invalidIds) {
        const response = await send(method, fill(path, { [parameter]: id }), allowed());
        t.match(response, { status: 404, code: 'NOT_FOUND', error: `${resource} not found` }, `${name}: ${parameter}`);
      }

    const { status, code, details } = await send(method, url, withoutRoles());
    if (status === 403) {
      t.match({ code, details }, { code: 'FORBIDDEN', details: { required: [/^[A-Z]+$/] } }, `${name}: roles`);
      t.same(details.user_roles, [], `${name}: the caller's roles`);
    }

    if (method === 'GET') {
      const contentHeaders = {
        ...allowed(),
        'content-type': 'text/plain',
        'content-encoding': 'gzip',
        'content-length': '0',
      };
      const [ignored, plain] = [await send(method, url, contentHeaders), await send(method, url, allowed())];
      t.equal(ignored.status, plain.status, `${name}: content headers`);
    }

    if (!takesJson) continue;
    const body = { field: 'body', message: String, value: null };
    const malformed = await send(method, url, { ...allowed(), ...json }, '{');
    t.match(malformed, { status: 400, ...validationFailed, details: body }, `${name}: malformed JSON`);
    const empty = await send(method, url, { ...allowed(), ...json }, 'null');
    t.match(empty, { status: 422, ...validationFailed, details: { ...body, issues: [body] } }, `${name}: null`);
    const encoded = await send(method, url, { ...allowed(), ...json, 'content-encoding': 'gzip' }, '{}');
    t.match(encoded, { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' }, `${name}: an encoded body`);
  }

  const unknown = await send('GET', '/api/nothing', allowed());
  t.match(unknown, { status: 404, code: 'NOT_FOUND', error: 'Route not found' });
}

const fill = (path: string, ids: Record<string, string> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? createId());

const parametersOf = (path: string, resources: ErrorResponseOptions['resources']) =>
  [...path.matchAll(/\{(\w+)\}/g)].map((found): [name: string, resource: string | null | undefined] => [
    found[1] ?? '',
    resources[path.slice(0, found.index + found[0].length)],
  ]);

function operationsOf(paths: object = {}) {
  const publicPaths = Object.entries(paths).filter(([path]) => path.startsWith('/api/'));
  return publicPaths.flatMap(([path, pathItem]) =>
    methods.flatMap((method) => {
      const operation = Object(pathItem)[method.toLowerCase()];
      if (operation === undefined) return [];
      const isForm = operation.requestBody?.content['multipart/form-data'] !== undefined;
      const isTus = path.includes('/uploads');
      // Webhooks are refused by their signature first, and requests of the protocol tus by its version.
      const takesJson = method !== 'GET' && !isForm && !isTus && !operation.tags.includes('Webhooks');
      return [{ method, path, takesJson }];
    }),
  );
}

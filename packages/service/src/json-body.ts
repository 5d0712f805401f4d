import { idPattern, isId, resourceKeyword } from '@lms/contracts/ids';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse } from 'secure-json-parse';
import { type NormalizedValue, normalizeStrings } from './normalize-text.ts';
import { badRequest, invalid, notFound, RouteNotFound, UnsupportedMediaType } from './problems.ts';

const maxDepth = 32;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bodies are UTF-8 JSON objects without prototype games; their texts arrive trimmed and in NFC; no body counts as `{}`. */
export function acceptJsonOnly(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    body.length === 0 ? undefined : parseJson(body),
  );
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (request.is404) throw new RouteNotFound();
    const missing = findImpossible(request);
    if (missing !== undefined) throw notFound(missing);
    const readsBody = request.method !== 'GET' && request.method !== 'HEAD';
    if (readsBody && request.headers['content-encoding'] !== undefined) throw new UnsupportedMediaType();
    return payload;
  });
  app.addHook('preValidation', async (request) => {
    const body = normalizeBody(request.body === undefined ? {} : request.body);
    const [first, ...rest] = [...normalizeStrings(request.query, maxDepth).issues, ...body.issues];
    if (first) throw invalid(first, ...rest);
    if (!isObject(body.value)) throw invalid({ field: 'body', message: 'must be object', value: body.value });
    request.body = body.value;
  });
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name of the kind of which the path names one by an id that none can have. */
function findImpossible({ params, routeOptions }: FastifyRequest): string | undefined {
  const odd = Object.entries(Object(params)).filter(([name, value]) => name !== '*' && !isId(value));
  if (odd.length === 0) return undefined;
  const { properties } = Object(Object(routeOptions.schema).params);
  // A parameter is an id unless its schema says otherwise; then the validator will look at it.
  const schemas = odd.map(([name]) => Object(properties)[name] ?? { pattern: idPattern });
  const impossible = schemas.find(({ pattern }) => pattern === idPattern);
  return impossible && (impossible[resourceKeyword] ?? 'Resource');
}

/** Cleans the texts of a JSON body. @throws a 400 for one that nests too deep */
export function normalizeBody(body: unknown): Pick<NormalizedValue, 'value' | 'issues'> {
  const { value, issues, tooDeep } = normalizeStrings(body, maxDepth);
  if (tooDeep) throw badRequest({ field: 'body', message: `must not nest deeper than ${maxDepth}` });
  return { value, issues };
}

/** @throws a 400 for anything that is no UTF-8 JSON, or that reaches for a prototype */
export function parseJson(body: Buffer): unknown {
  try {
    return parse(utf8.decode(body), undefined, { protoAction: 'error', constructorAction: 'error' });
  } catch (cause) {
    const message = 'must be JSON in UTF-8, without keys named __proto__ or constructor.prototype';
    throw badRequest({ field: 'body', message }, cause);
  }
}

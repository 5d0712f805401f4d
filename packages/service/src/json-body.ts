import { idPattern, isId, resourceKeyword } from '@lms/contracts/ids';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parse } from 'secure-json-parse';
import { findUndecodable, type NormalizedValue, normalizeStrings } from './normalize-text.ts';
import { badRequest, defineProblem, invalid, notFound, RouteNotFound, UnsupportedMediaType } from './problems.ts';

const DoubledContentType = defineProblem('UNSUPPORTED_MEDIA_TYPE', 415, 'The body must have a single Content-Type');
const maxDepth = 32;
const maxMessageLength = 200;
// The gateway joins two headers by a comma, which Fastify would read as part of a parameter of the first. Anchored, since a
// search for the start of a quoted string takes quadratic time where its end is missing.
const singleType = /^(?:[^",]|"(?:[^"\\]|\\.)*")*$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Accepts JSON objects in UTF-8 as bodies, normalizes their strings and rejects prototype pollution. A missing body counts as `{}`. */
export function acceptJsonOnly(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    body.length === 0 ? undefined : parseJson(body),
  );
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (request.is404) throw new RouteNotFound();
    const resource = resourceOfInvalidId(request);
    if (resource !== undefined) throw notFound(resource);
    const readsBody = request.method !== 'GET' && request.method !== 'HEAD';
    const { 'content-type': type, 'content-encoding': encoding } = request.headers;
    if (readsBody && encoding !== undefined) throw new UnsupportedMediaType();
    if (readsBody && type !== undefined && !singleType.test(type)) throw new DoubledContentType();
    return payload;
  });
  app.addHook('preValidation', async (request) => {
    const body = normalizeBody(request.body === undefined ? {} : request.body);
    const query = [...findUndecodable(request.url), ...normalizeStrings(request.query, maxDepth).issues];
    const [first, ...rest] = [...query, ...body.issues];
    if (first) throw invalid(first, ...rest);
    if (!isObject(body.value)) throw invalid({ field: 'body', message: 'must be object', value: body.value });
    request.body = body.value;
  });
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The resource name of a path parameter that is not a well-formed id; undefined if all are. */
function resourceOfInvalidId({ params, routeOptions }: FastifyRequest): string | undefined {
  const invalidParams = Object.entries(Object(params)).filter(([name, value]) => name !== '*' && !isId(value));
  if (invalidParams.length === 0) return undefined;
  const { properties } = Object(Object(routeOptions.schema).params);
  // A parameter with another pattern is not an id; the validator checks it later.
  const schemas = invalidParams.map(([name]) => Object(properties)[name] ?? { pattern: idPattern });
  const idSchema = schemas.find(({ pattern }) => pattern === idPattern);
  return idSchema && (idSchema[resourceKeyword] ?? 'Resource');
}

/** Normalizes the strings of a JSON body. @throws a 400 if it nests too deep */
export function normalizeBody(body: unknown): Pick<NormalizedValue, 'value' | 'issues'> {
  const { value, issues, tooDeep } = normalizeStrings(body, maxDepth);
  if (tooDeep) throw badRequest({ field: 'body', message: `must not nest deeper than ${maxDepth}` });
  return { value, issues };
}

/** @throws a 400 if the body is not JSON in UTF-8 or contains a key that could pollute a prototype */
export function parseJson(body: Buffer): unknown {
  let text: string | undefined;
  try {
    text = utf8.decode(body);
    return parse(text, undefined, { protoAction: 'error', constructorAction: 'error' });
  } catch (cause) {
    const message = text === undefined ? 'must be JSON in UTF-8' : problemOf(text);
    throw badRequest({ field: 'body', message }, cause);
  }
}

/** What a JSON parser says, with the position, or that the text has a forbidden key. */
function problemOf(text: string): string {
  try {
    JSON.parse(text);
    return 'must not have keys named __proto__ or constructor.prototype';
  } catch (error) {
    return `must be JSON: ${Object(error).message}`.slice(0, maxMessageLength).toWellFormed();
  }
}

import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { toCollection } from './collection.ts';
import { bodyExample, exampleId } from './examples.ts';
import { type Body, type Operation, type Parameter, type Paths, readDocuments } from './read-documents.ts';
import { errorPage, errorResponses, headersOf, pick, referToError, traitsOf } from './responses.ts';
import { offsetStream, samplesOf } from './samples.ts';

const read = (path: string) => parse(readFileSync(new URL(path, import.meta.url), 'utf8'), { merge: true });
const toJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** The generated files with their texts: the document of the whole API, and what is made from it. */
export async function generate(): Promise<Record<string, string>> {
  const document = toJson(merge(await readDocuments()));
  return {
    'gateway/openapi.json': document,
    'docs/guides/postman-collection.json': toJson(toCollection(JSON.parse(document))),
    'docs/guides/error-codes.md': errorPage,
  };
}

/** Merges the paths of services: public ones only, with the responses and headers that all routes share. */
function merge(documents: Paths[]) {
  const { info, tags, components, ...shared } = read('../document.yaml');
  const order: string[] = tags.map(({ name }: { name: string }) => name);
  const placeOf = ({ operation }: { operation: Operation }) => order.indexOf(operation.tags.join());
  const operations = documents
    .flatMap((paths) => Object.entries(paths))
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        // HEAD is described by itself only where there is no GET.
        .filter(([method]) => method !== 'head' || methods.get === undefined)
        .map(([method, operation]) => ({ path: path.replace(/\/$/, ''), method, operation })),
    )
    .sort((a, b) => placeOf(a) - placeOf(b) || a.path.localeCompare(b.path, 'en'));
  const paths: Record<string, object> = {};
  for (const { path, method, operation } of operations)
    paths[path] = { ...paths[path], [method]: describe(method, path, operation) };
  const { schemas, ...parts } = hoistTitled({ paths, responses: errorResponses });
  return {
    openapi: '3.1.0',
    info: { ...info, version: read('../../../package.json').version },
    ...shared,
    tags,
    paths: parts.paths,
    components: { ...components, responses: parts.responses, schemas },
  };
}

/** Moves schemas that have a title to one place, and refers to them. @throws if two schemas have the same title */
function hoistTitled(document: object): Record<string, object> {
  const schemas: Record<string, object> = {};
  const parts = JSON.parse(JSON.stringify(document), (_key, value) => {
    // One value is an `enum` of one, as the services' documents have it.
    if (typeof value?.const === 'boolean') return { type: value.type, enum: [value.const] };
    const { title, type, anyOf } = Object(value);
    if (!/^[A-Z]\w*$/.test(title ?? '') || !(type ?? anyOf)) return value;
    schemas[title] ??= value;
    if (!isDeepStrictEqual(schemas[title], value)) throw new Error(`two different schemas are titled ${title}`);
    return { $ref: `#/components/schemas/${title}` };
  });
  const sorted = Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...parts, schemas: Object.fromEntries(sorted) };
}

/** Adds what all operations share to one of them, with examples and samples. */
function describe(method: string, path: string, operation: Operation) {
  const { operationId, description = '', responses, 'x-roles': roles } = operation;
  const traits = traitsOf(method, operation);
  const { isRead, isDownload, isRepeatable, isTagged } = traits;
  const parameters = (operation.parameters ?? []).map(describeParameter);
  const requestBody = operation.requestBody && describeRequest(method, operationId, operation.requestBody);
  // The responses that every route of its kind can give: from the gateway, or from what all services do with requests.
  const sharedStatuses = pick([
    [true, 400, 414, 429, 500, 503, 504],
    // Also for parameters that a route does not read: no text may contain NUL characters.
    [method !== 'options', 422],
    [!['get', 'head', 'options'].includes(method), 408, 413, 415],
    [isRepeatable, 409],
    [isRead && isTagged, 304],
  ]);
  const all: Record<string, Body> = {
    ...responses,
    ...Object.fromEntries(sharedStatuses.map((status) => [status, {}])),
  };
  const described = Object.entries(all).map(([status, response]) => [
    status,
    referToError(status) ?? {
      ...response,
      ...withExamples(operationId, response),
      description: STATUS_CODES[status] ?? status,
      headers: { ...response.headers, ...headersOf(status, traits) },
    },
  ]);
  const sharedParameters = pick([
    [isRepeatable, 'IdempotencyKey'],
    [isRead && isTagged, 'IfNoneMatch'],
    [isDownload, 'IfMatch', 'Range', 'IfRange'],
  ]).map((name) => ({ $ref: `#/components/parameters/${name}` }));
  return {
    ...operation,
    description: [description, rolesRule(roles)].filter(Boolean).join('\n\n'),
    ...(requestBody && { requestBody }),
    parameters: [...parameters, ...sharedParameters],
    responses: Object.fromEntries(described),
    'x-codeSamples': samplesOf(method, path, { ...operation, parameters, ...(requestBody && { requestBody }) }),
  };
}

/** `roles` as `requireRole` lists them in the schema of a route. */
function rolesRule(roles: unknown): string {
  if (!Array.isArray(roles)) return '';
  const names = new Intl.ListFormat('en-GB').format(roles.map((role) => `\`${role}\``));
  return `Requires ${roles.length > 1 ? 'one of the roles' : 'the role'} ${names}.`;
}

const typesWithExamples = ['application/json', 'multipart/form-data', 'text/csv', offsetStream];

/** The content of a body, with examples. Files have none. */
function withExamples(operationId: string, { content }: Body) {
  if (!content) return {};
  const described = Object.entries(content).map(([type, media]) => [
    type,
    typesWithExamples.includes(type) ? { ...media, example: bodyExample(operationId, media.schema, type) } : media,
  ]);
  return { content: Object.fromEntries(described) };
}

// A body without required fields is optional, and a resumable upload may begin without bytes.
function describeRequest(method: string, operationId: string, body: Body): Body & { required: boolean } {
  const { 'application/json': json, [offsetStream]: stream } = body.content ?? {};
  const { required = [], minProperties = 0 } = Object(json?.schema);
  return {
    ...withExamples(operationId, body),
    required: stream ? method === 'patch' : !json || required.length > 0 || minProperties > 0,
  };
}

// What has a default may be left out, whatever the schema behind it says once the default is filled in. What may be left out
// has no example: the reference fills it in, and every list would be narrowed to nothing.
function describeParameter({ example, ...parameter }: Parameter): Parameter {
  const { 'x-resource': resource } = parameter.schema;
  const required = parameter.required === true && !('default' in parameter.schema);
  return { ...parameter, required, ...(required && { example: exampleId(resource) ?? example }) };
}

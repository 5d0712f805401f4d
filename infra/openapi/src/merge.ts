import { STATUS_CODES } from 'node:http';
import { requestExample, responseExample } from './examples/examples.ts';
import { headers, headersOf, parameters, parametersOf, type Traits, traitsOf } from './headers.ts';
import { hoistTitled } from './hoist-titled.ts';
import { introduction, securitySchemes } from './introduction.ts';
import { refer, refusals } from './refusals.ts';
import { samplesOf } from './samples.ts';
import type { Operation, ServiceDocument } from './service-documents.ts';
import { tagList, tagPaths } from './tags.ts';

/** Merges documents: public paths only, with the responses and headers that all routes share. */
export function merge(documents: ServiceDocument[]) {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [path, operations] of documents.flatMap((document) => Object.entries(document.paths))) {
    if (!path.startsWith('/api/')) continue;
    const place = path.replace(/\/$/, '');
    const described = Object.entries(operations)
      // HEAD is described by itself only where there is no GET.
      .filter(([method]) => method !== 'head' || operations.get === undefined)
      .map(([method, operation]) => [method, withSamples(method, place, describe(method, operation))]);
    paths[place] = { ...paths[place], ...Object.fromEntries(described) };
  }
  const { value, schemas } = hoistTitled({ paths: tagPaths(paths), responses: refusals });
  return {
    openapi: '3.1.0',
    ...introduction,
    tags: tagList,
    paths: Object(value).paths,
    components: { securitySchemes, headers, parameters, responses: Object(value).responses, schemas },
  };
}

const withSamples = (method: string, path: string, operation: Operation): Operation => ({
  ...operation,
  'x-codeSamples': samplesOf(method, path, operation),
});

function describe(method: string, operation: Operation): Operation {
  const traits = traitsOf(method, operation);
  const declared = { ...Object(operation.responses), ...sharedResponses(method, traits) };
  const responses = Object.entries(declared).map(([status, response]) => [
    status,
    refer(status) ?? {
      ...Object(response),
      ...withExample(response, (schema, type) => responseExample(String(operation.operationId), schema, type)),
      description: STATUS_CODES[status] ?? status,
      headers: { ...Object(response).headers, ...headersOf(status, traits) },
    },
  ]);
  return {
    ...operation,
    description: [operation.description ?? [], rolesRule(operation) ?? []].flat().join('\n\n'),
    ...requestBodyOf(method, operation),
    parameters: [...ownParametersOf(operation), ...parametersOf(traits)],
    responses: Object.fromEntries(responses),
  };
}

/** As `requireRole` lists them in the schema of a route. */
function rolesRule({ 'x-roles': roles }: Operation): string | undefined {
  if (!Array.isArray(roles)) return undefined;
  const names = roles.map((role) => `\`${role}\``);
  return names.length > 1
    ? `Requires one of the roles ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`
    : `Requires the role ${names[0]}.`;
}

const offsetStream = 'application/offset+octet-stream';
const withExamples = ['application/json', 'multipart/form-data', 'text/csv'];

/** The content of a body, with an example. Files have none. */
function withExample(body: unknown, makeExample: (schema: unknown, type: string) => unknown) {
  const content = Object.entries<{ schema?: unknown }>(Object(body).content ?? {}).map(([type, media]) => [
    type,
    withExamples.includes(type) ? { ...media, example: makeExample(media.schema, type) } : media,
  ]);
  return content.length > 0 ? { content: Object.fromEntries(content) } : {};
}

/** The responses that every route of its kind can give: from the gateway, or from what all services do with requests. */
function sharedResponses(method: string, { isRead, isRepeatable, isTagged }: Traits) {
  const refused = [
    400,
    414,
    429,
    500,
    503,
    504,
    // Also for parameters that a route does not read: no text may contain NUL characters.
    ...(method === 'options' ? [] : [422]),
    ...(isRead || ['head', 'options'].includes(method) ? [] : [408, 413, 415]),
    ...(isRepeatable ? [409] : []),
  ];
  return Object.fromEntries([...refused, ...(isRead && isTagged ? [304] : [])].map((status) => [status, {}]));
}

// A body without required fields is optional.
function requestBodyOf(method: string, { requestBody, operationId }: Operation) {
  if (requestBody === undefined) return {};
  // A resumable upload may begin without bytes.
  if (Object(Object(requestBody).content)[offsetStream])
    return {
      requestBody: {
        content: { [offsetStream]: { ...Object(requestBody).content[offsetStream], example: 'The bytes of the file' } },
        required: method === 'patch',
      },
    };
  const { required, minProperties } = Object(Object(requestBody).content)['application/json']?.schema ?? {
    required: [''],
  };
  return {
    requestBody: {
      ...Object(requestBody),
      ...withExample(requestBody, (_schema, type) => requestExample(String(operationId), type)),
      required: (required?.length ?? 0) > 0 || minProperties > 0,
    },
  };
}

const ownParametersOf = ({ parameters }: Operation): unknown[] =>
  Array.isArray(parameters) ? parameters.map(offerable) : [];

// What has a default may be left out, whatever the schema behind it says once the default is filled in. What may be left out
// bears no example: the reference fills it in, and every list would be narrowed to nothing.
function offerable({ example, ...parameter }: Record<string, unknown>) {
  const { schema } = parameter;
  const required = parameter.required === true && !('default' in Object(schema));
  return { ...parameter, required, ...(required && example !== undefined && { example }) };
}

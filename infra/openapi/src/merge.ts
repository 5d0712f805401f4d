import { STATUS_CODES } from 'node:http';
import type { Operation, ServiceDocument } from './ask-service.ts';
import { hoistTitled } from './hoist-titled.ts';
import { idempotencyKey, introduction, limitedAnswer, securitySchemes, tags } from './introduction.ts';

/** One document out of several: public paths only, answers described, schemas with a title named once. */
export function merge(documents: ServiceDocument[]) {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [path, operations] of documents.flatMap((document) => Object.entries(document.paths))) {
    if (!path.startsWith('/api/')) continue;
    const described = Object.entries(operations)
      .filter(([method]) => method !== 'head')
      .map(([method, operation]) => [method, describe(method, operation)]);
    const place = path.length > 1 ? path.replace(/\/$/, '') : path;
    paths[place] = { ...paths[place], ...Object.fromEntries(described) };
  }
  const sorted = Object.fromEntries(Object.entries(paths).sort(([a], [b]) => a.localeCompare(b, 'en')));
  const { value, schemas } = hoistTitled(sorted);
  const used = new Set(
    Object.values(paths).flatMap((operations) =>
      Object.values(operations).flatMap((operation) => operation.tags ?? []),
    ),
  );
  return {
    openapi: '3.1.0',
    ...introduction,
    tags: [...used].sort().map((name) => ({ name, description: tags[name] ?? name })),
    paths: value,
    components: { securitySchemes, schemas },
  };
}

function describe(method: string, operation: Operation): Operation {
  const given = Object.entries(Object(operation.responses));
  const responses = given.map(([status, response]) => [
    status,
    { ...Object(response), description: STATUS_CODES[status] ?? status },
  ]);
  const parameters = [...parametersOf(operation), ...(isRepeatable(method, operation) ? [idempotencyKey] : [])];
  return {
    ...operation,
    ...requestBodyOf(operation),
    parameters,
    responses: { ...Object.fromEntries(responses), 429: limitedAnswer },
  };
}

// A body of which nothing is needed may be left out.
function requestBodyOf({ requestBody }: Operation) {
  if (requestBody === undefined) return {};
  const { required, minProperties } = Object(Object(requestBody).content)['application/json']?.schema ?? {
    required: [''],
  };
  return { requestBody: { ...Object(requestBody), required: (required?.length ?? 0) > 0 || minProperties > 0 } };
}

// A parameter with a default may be left out, whatever the schema behind it says once the default is filled in.
const parametersOf = ({ parameters }: Operation): unknown[] =>
  Array.isArray(parameters)
    ? parameters.map((parameter) =>
        'default' in Object(parameter.schema) ? { ...parameter, required: false } : parameter,
      )
    : [];

/** JSON POSTs may be repeated under a key; uploads and the provider's webhooks have ways of their own. */
const isRepeatable = (method: string, { requestBody, tags }: Operation) =>
  method === 'post' && !tags?.includes('webhooks') && !Object(Object(requestBody).content)['multipart/form-data'];

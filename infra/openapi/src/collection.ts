import { isFile } from './samples.ts';

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: object[];
  parameters: { name?: string; in?: string; required?: boolean; example?: unknown; description?: string }[];
  requestBody?: { content: Record<string, { example?: unknown }>; required?: boolean };
}

interface Document {
  info: { title: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
}

/** A Postman collection (v2.1) of all operations, which Bruno and Insomnia import as well. */
export function toCollection({ info, tags, paths }: Document) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return {
    info: {
      name: info.title,
      description: 'Generated from the OpenAPI document. Set `baseUrl` and `token` (an access token) in the variables.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:8080' },
      { key: 'token', value: '' },
    ],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ path, method, operation }) => toItem(path, method, operation)),
    })),
  };
}

function toItem(path: string, method: string, operation: Operation) {
  const { summary, description, security, parameters } = operation;
  const withPlace = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const entry = ({ name = '', example = '', description = '' }: Operation['parameters'][number]) => ({
    key: name,
    value: String(example),
    description,
  });
  const query = withPlace('query').map((parameter) => ({ ...entry(parameter), disabled: parameter.required !== true }));
  const raw = `{{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description,
      ...(security.length === 0 && { auth: { type: 'noauth' } }),
      header: [
        ...withPlace('header')
          .filter(({ required }) => required)
          .map(entry),
        ...(sendsStream(operation) ? [{ key: 'content-type', value: offsetStream }] : []),
      ],
      url: {
        raw,
        host: ['{{baseUrl}}'],
        path: raw.split('/').slice(1),
        ...(query.length > 0 && { query }),
        variable: withPlace('path').map(entry),
      },
      ...bodyOf(operation),
    },
  };
}

const offsetStream = 'application/offset+octet-stream';
const sendsStream = ({ requestBody }: Operation) =>
  requestBody?.required === true && requestBody.content[offsetStream] !== undefined;

function bodyOf(operation: Operation) {
  if (sendsStream(operation)) return { body: { mode: 'file', file: { src: '' } } };
  const { 'application/json': json, 'multipart/form-data': form } = operation.requestBody?.content ?? {};
  if (json)
    return {
      body: { mode: 'raw', raw: JSON.stringify(json.example, null, 2), options: { raw: { language: 'json' } } },
    };
  if (!form) return {};
  const formdata = Object.entries<unknown>(Object(form.example)).map(([key, value]) =>
    isFile(key) ? { key, type: 'file', src: [] } : { key, type: 'text', value },
  );
  return { body: { mode: 'formdata', formdata } };
}

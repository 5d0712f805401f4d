import type { Operation, Parameter, Paths } from './read-documents.ts';
import { isFile, offsetStream } from './samples.ts';

interface Document {
  info: { title: string };
  tags: { name: string; description: string }[];
  paths: Paths;
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
        .map(({ path, method, operation }) => toItem(path, method.toUpperCase(), operation)),
    })),
  };
}

function toItem(path: string, method: string, operation: Operation) {
  const { summary, description, security, parameters = [], requestBody } = operation;
  const entry = ({ name, example = '', description = '' }: Parameter) => ({
    key: name,
    value: String(example),
    description,
  });
  const placed = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const { 'application/json': json, 'multipart/form-data': form, [offsetStream]: stream } = requestBody?.content ?? {};
  const sendsStream = stream && requestBody?.required;
  const headers = placed('header')
    .filter(({ required }) => required)
    .map(entry);
  const segments = path
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/')
    .slice(1);
  const body = sendsStream
    ? { mode: 'file', file: { src: '' } }
    : json
      ? { mode: 'raw', raw: JSON.stringify(json.example, null, 2), options: { raw: { language: 'json' } } }
      : form && {
          mode: 'formdata',
          formdata: Object.entries(Object(form.example)).map(([key, value]) =>
            isFile(key) ? { key, type: 'file', src: [] } : { key, type: 'text', value },
          ),
        };
  return {
    name: summary,
    request: {
      method,
      description,
      ...(security.length === 0 && { auth: { type: 'noauth' } }),
      header: sendsStream ? [...headers, { key: 'content-type', value: offsetStream }] : headers,
      url: {
        raw: ['{{baseUrl}}', ...segments].join('/'),
        host: ['{{baseUrl}}'],
        path: segments,
        query: placed('query').map((parameter) => ({ ...entry(parameter), disabled: !parameter.required })),
        variable: placed('path').map(entry),
      },
      ...(body && { body }),
    },
  };
}

import type { Operation, Paths } from './read-documents.ts';
import { isFile, offsetStream } from './samples.ts';

interface Document {
  info: { title: string };
  tags: { name: string; description: string }[];
  paths: Paths;
}

/** A Postman collection (v2.1) of all operations, which Bruno and Insomnia import as well. */
export function toCollection({ info, tags, paths }: Document) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      item: toItem(path, method, operation),
    })),
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
      item: operations.filter(({ tag }) => tag === name).map(({ item }) => item),
    })),
  };
}

function toItem(path: string, method: string, { summary, description, security, parameters = [], ...rest }: Operation) {
  const entriesIn = (place: string) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name: key, example = '', description = '', required }) => ({
        ...{ key, value: String(example), description },
        ...(!required && { disabled: true }),
      }));
  const segments = path
    .replaceAll(/\{(\w+)\}/g, ':$1')
    .split('/')
    .slice(1);
  const body = bodyOf(rest.requestBody);
  const header = [
    ...entriesIn('header'),
    ...(body?.mode === 'file' ? [{ key: 'content-type', value: offsetStream }] : []),
  ];
  return {
    name: summary,
    request: {
      ...{ method: method.toUpperCase(), description, header, body },
      ...(security.length === 0 && { auth: { type: 'noauth' } }),
      url: {
        raw: ['{{baseUrl}}', ...segments].join('/'),
        host: ['{{baseUrl}}'],
        path: segments,
        query: entriesIn('query'),
        variable: entriesIn('path'),
      },
    },
  };
}

function bodyOf({ content = {}, required }: NonNullable<Operation['requestBody']> = {}) {
  const { 'application/json': json, 'multipart/form-data': form } = content;
  if (json) return { mode: 'raw', raw: JSON.stringify(json.example, null, 2), options: { raw: { language: 'json' } } };
  // A resumable upload may begin without bytes.
  if (!form) return required ? { mode: 'file', file: { src: '' } } : undefined;
  const parts = Object.entries(Object(form.example)).map(([key, value]) =>
    isFile(key) ? { key, type: 'file', src: [] } : { key, type: 'text', value },
  );
  return { mode: 'formdata', formdata: parts };
}

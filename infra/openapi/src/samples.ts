import { inspect } from 'node:util';
import type { Operation } from './read-documents.ts';
import { pick, traitsOf } from './responses.ts';

type Request = ReturnType<typeof toRequest>;

/** Requests of an operation with curl, fetch and the client, in the form that reference pages read. */
export function samplesOf(method: string, path: string, operation: Operation) {
  const request = toRequest(method, path, operation);
  const client = clientCall(request);
  return [
    { lang: 'Shell', label: 'curl', source: curl(request) },
    { lang: 'JavaScript', label: 'fetch', source: fetchCall(request) },
    ...(client === undefined ? [] : [{ lang: 'TypeScript', label: '@lms/client', source: client }]),
  ];
}

export const offsetStream = 'application/offset+octet-stream';
export const isFile = (name: string) => ['file', 'video', 'captions'].includes(name);

function toRequest(method: string, path: string, operation: Operation) {
  const { operationId, parameters = [], requestBody, responses, security } = operation;
  const { isSigned, isList, isDownload, isCsv } = traitsOf(method, operation);
  const valuesIn = (place: string): Record<string, string> =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place && parameter.required)
        .map(({ name, example }) => [name, String(example)]),
    );
  const params = { path: valuesIn('path'), query: valuesIn('query'), header: valuesIn('header') };
  const search = new URLSearchParams(params.query).toString();
  const content = requestBody?.content ?? {};
  const types = ['text/csv', 'multipart/form-data', 'application/json', ...(method === 'patch' ? [offsetStream] : [])];
  const type = types.find((one) => one in content) ?? 'none';
  const body = content[type]?.example;
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const returned = Object.keys(success?.content ?? {});
  const returns = returned.includes('application/json') ? 'json' : returned.length > 0 ? 'text' : 'nothing';
  return {
    ...{ operationId, path, isSigned, isList, isDownload, isCsv, params, type, body },
    method: method.toUpperCase(),
    url: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params.path[name] ?? '') + (search && `?${search}`),
    headers: {
      ...(security[0]?.bearer && { authorization: `Bearer \${token}` }),
      ...(isSigned && { 'x-webhook-signature': `\${signature}` }),
      ...params.header,
      ...(!['none', 'multipart/form-data'].includes(type) && { 'content-type': type }),
    },
    parts: type === 'multipart/form-data' ? Object.entries<unknown>(Object(body)) : [],
    /** What the body of the response is. */
    returns: isDownload || isCsv ? 'file' : returns,
  };
}

function curl({ method, url, headers, type, body, parts, returns, isDownload, isCsv, params }: Request): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const verb = method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` -X ${method}`;
  // What matters is in the headers of these responses.
  const shown = method !== 'HEAD' && (returns === 'nothing' || 'upload-length' in params.header) ? ' -i' : '';
  const inShell = (value: string) => value.replace(/\$\{(\w+)\}/, (_, name: string) => `$${name.toUpperCase()}`);
  return [
    `curl${shown}${verb} "$API${url}"`,
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${inShell(value)}"`),
    ...parts.map(([name, value]) => `-F ${quote(`${name}=${isFile(name) ? '@' : ''}${value}`)}`),
    ...pick([
      [type === offsetStream, '--data-binary @number-line.mp4'],
      [type === 'text/csv', '--data-binary @roster.csv'],
      [type === 'application/json', `-d ${quote(`${JSON.stringify(body)}`)}`],
      [isDownload, '-o download'],
      [isCsv, '-OJ'],
    ]),
  ].join(' \\\n  ');
}

function fetchCall({ method, url, headers, type, body, parts, returns }: Request): string {
  const sent: Record<string, string> = {
    'text/csv': JSON.stringify(body),
    'multipart/form-data': 'form',
    'application/json': `JSON.stringify(${literal(body)})`,
    [offsetStream]: 'file',
  };
  // A value with a variable becomes a template literal.
  const headerList = literal(headers).replaceAll(/'([^']*\$\{[^']*)'/g, '`$1`');
  const options = pick([
    [method !== 'GET', `  method: '${method}',`],
    [Object.keys(headers).length > 0, `  headers: ${headerList},`],
    [type in sent, `  body: ${sent[type]},`],
  ]);
  const read: Record<string, string> = {
    json: 'const { data, error, code } = await response.json();',
    text: 'const text = await response.text();',
    file: 'const bytes = await response.blob();',
    nothing: 'console.log(response.status, ...response.headers);',
  };
  return [
    ...(parts.length > 0 ? ['const form = new FormData();'] : []),
    ...parts.map(([name, value]) => `form.append('${name}', ${isFile(name) ? 'file' : literal(value)});`),
    `const response = await fetch(\`\${api}${url}\`${options.length > 0 ? `, {\n${options.join('\n')}\n}` : ''});`,
    read[returns],
  ].join('\n');
}

const topicId = "topicId: 'tz4a98xxat96iws9zmbrgj3a'";
const onProgress = '{ onProgress: (sent, total) => console.log(sent / total) }';

/** Requests for which the client has a function of its own. */
const clientFunctions: Record<string, string> = {
  replaceVideo: `client.uploadVideo({ ${topicId}, file }, ${onProgress})`,
  uploadCaptions: `client.uploadCaptions({ ${topicId}, language: 'en', file })`,
  uploadDocument: `client.uploadDocument({ ${topicId}, file }, ${onProgress})`,
  createImport: `client.importCurriculum({ file }, ${onProgress})`,
  createVideoUpload: `uploads.uploadVideo({ ${topicId}, file }, ${onProgress})`,
  createDocumentUpload: `uploads.uploadDocument({ ${topicId}, file }, ${onProgress})`,
};

/** @returns undefined if the client has no such call */
function clientCall({ operationId, method, path, type, body, returns, isSigned, isList, ...values }: Request) {
  const own = clientFunctions[operationId];
  const uploads = 'const uploads = createResumableUploads({ baseUrl: api, token: () => token });\n';
  if (own) return `${own.startsWith('uploads') ? uploads : ''}const { data, error } = await ${own};`;
  if (isSigned || !['GET', 'POST', 'PUT', 'DELETE'].includes(method)) return undefined;
  const params = Object.entries(values.params).filter(([, group]) => Object.keys(group).length > 0);
  const csv = `body: ${JSON.stringify(body)}, bodySerializer: String, headers: { 'content-type': 'text/csv' }`;
  const options = pick([
    [params.length > 0, `params: ${literal(Object.fromEntries(params))}`],
    [type === 'application/json', `body: ${literal(body)}`],
    [type === 'text/csv', csv],
    [returns === 'file', "parseAs: 'blob'"],
    [returns === 'text', "parseAs: 'text'"],
  ]);
  const given = options.length > 0 ? `, { ${options.join(', ')} }` : '';
  if (isList) return `for await (const item of client.each('${path}'${given})) console.log(item);`;
  return `const { data, error } = await client.${method}('${path}'${given});`;
}

/** A value as it is written in code. */
const literal = (value: unknown) =>
  inspect(value, { depth: null, compact: true, breakLength: Number.POSITIVE_INFINITY, maxStringLength: null });

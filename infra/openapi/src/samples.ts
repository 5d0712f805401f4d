import { type Traits, traitsOf } from './headers.ts';
import type { Operation } from './service-documents.ts';

interface Request extends Pick<Traits, 'isList' | 'isDownload' | 'isCsv'> {
  method: string;
  path: string;
  /** Whether the token is required. */
  needsToken: boolean;
  isSigned: boolean;
  /** What the body of the response is; a file is read as a blob. */
  returns: 'json' | 'text' | 'file' | 'nothing';
  pathValues: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  sendsBytes: boolean;
  json: unknown;
  form: Record<string, unknown> | undefined;
  csv: string | undefined;
}

/** Requests of an operation with curl, fetch and the client, in the form that reference pages read. */
export function samplesOf(method: string, path: string, operation: Operation) {
  const request = toRequest(method, path, operation);
  const client = clientCall(request);
  const sample = (lang: string, label: string, source: string) => ({ lang, label, source });
  return [
    sample('Shell', 'curl', curl(request)),
    sample('JavaScript', 'fetch', fetchCall(request)),
    ...(client === undefined ? [] : [sample('TypeScript', '@lms/client', client)]),
  ];
}

const offsetStream = 'application/offset+octet-stream';
const topicId = 'tz4a98xxat96iws9zmbrgj3a';

/** Values of required query parameters. */
const queryValues: Record<string, string> = { key: 'documents/dc3r56vxhw90qmk7tbjygf1n', q: 'fractions' };

function toRequest(method: string, path: string, operation: Operation): Request {
  const { parameters, requestBody, responses, security } = operation;
  const required = (Array.isArray(parameters) ? parameters : []).filter((parameter) => parameter.required === true);
  const values = (place: string) =>
    Object.fromEntries(
      required
        .filter((parameter) => parameter.in === place)
        .map(({ name, example = queryValues[name] }) => {
          if (example === undefined) throw new Error(`${name} of ${method} ${path} has no example, or several`);
          return [name, String(example)];
        }),
    );
  const {
    'application/json': json,
    'multipart/form-data': form,
    'text/csv': csv,
  } = Object(Object(requestBody).content);
  const traits = traitsOf(method, operation);
  return {
    ...traits,
    method: method.toUpperCase(),
    path,
    needsToken: Object(security?.[0]).bearer !== undefined,
    isSigned: Object(security?.[0]).webhookSignature !== undefined,
    returns: traits.isDownload || traits.isCsv ? 'file' : returnsOf(responses),
    pathValues: values('path'),
    query: values('query'),
    headers: values('header'),
    sendsBytes: method === 'patch',
    json: form ? undefined : json?.example,
    form: csv ? undefined : form?.example,
    csv: csv?.example,
  };
}

function returnsOf(responses: unknown): Request['returns'] {
  const [, success] = Object.entries(Object(responses)).find(([status]) => /^2/.test(status)) ?? [];
  const types = Object.keys(Object(Object(success).content));
  if (types.length === 0) return 'nothing';
  return types.includes('application/json') ? 'json' : 'text';
}

function urlOf({ path, pathValues, query }: Request): string {
  const search = new URLSearchParams(query).toString();
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathValues[name] ?? '') + (search && `?${search}`);
}

export const isFile = (name: string) => ['file', 'video', 'captions'].includes(name);

function curl(request: Request): string {
  const { method, needsToken, isSigned, isDownload, isCsv, returns, headers, sendsBytes, json, form, csv } = request;
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const verb = method === 'GET' ? '' : method === 'HEAD' ? ' --head' : ` -X ${method}`;
  // What matters is in the headers of these responses.
  const shown = method !== 'HEAD' && (returns === 'nothing' || 'upload-length' in headers) ? ' -i' : '';
  return [
    `curl${shown}${verb} "$API${urlOf(request)}"`,
    ...(needsToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(isSigned ? ['-H "X-Webhook-Signature: $SIGNATURE"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(sendsBytes ? [`-H 'Content-Type: ${offsetStream}'`, '--data-binary @number-line.mp4'] : []),
    ...(json === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(json))}`]),
    ...Object.entries(form ?? {}).map(([name, value]) => `-F ${quote(`${name}=${isFile(name) ? '@' : ''}${value}`)}`),
    ...(csv === undefined ? [] : ["-H 'Content-Type: text/csv'", '--data-binary @roster.csv']),
    ...(isDownload ? ['-o download'] : []),
    ...(isCsv ? ['-OJ'] : []),
  ].join(' \\\n  ');
}

function fetchCall(request: Request): string {
  const { method, needsToken, isSigned, returns, sendsBytes, json, form, csv } = request;
  const headers = [
    ...(needsToken ? [`authorization: \`Bearer \${token}\``] : []),
    ...(isSigned ? ["'x-webhook-signature': signature"] : []),
    ...Object.entries(request.headers).map(([name, value]) => `'${name}': '${value}'`),
    ...(sendsBytes ? [`'content-type': '${offsetStream}'`] : []),
    ...(json === undefined ? [] : ["'content-type': 'application/json'"]),
    ...(csv === undefined ? [] : ["'content-type': 'text/csv'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
    ...(json === undefined ? [] : [`body: JSON.stringify(${literal(json)})`]),
    ...(form ? ['body: form'] : []),
    ...(sendsBytes ? ['body: file'] : []),
    ...(csv === undefined ? [] : [`body: ${JSON.stringify(csv)}`]),
  ];
  const parts = Object.entries(form ?? {}).map(
    ([name, value]) => `form.append('${name}', ${isFile(name) ? 'file' : literal(value)});`,
  );
  return [
    ...(form ? ['const form = new FormData();', ...parts] : []),
    `const response = await fetch(\`\${api}${urlOf(request)}\`${options.length > 0 ? `, {\n${options.map((option) => `  ${option},`).join('\n')}\n}` : ''});`,
    {
      json: 'const { data, error, code } = await response.json();',
      text: 'const text = await response.text();',
      file: 'const bytes = await response.blob();',
      nothing: 'console.log(response.status, ...response.headers);',
    }[returns],
  ].join('\n');
}

const onProgress = '{ onProgress: (sent, total) => console.log(sent / total) }';

/** @returns undefined if the client has no such call */
function clientCall(request: Request): string | undefined {
  const { method, path, isSigned, isList, returns, pathValues, query, headers, json, form, csv } = request;
  if (isSigned || !['GET', 'POST', 'PUT', 'DELETE'].includes(method)) return undefined;
  if ('upload-length' in headers) {
    const [name, id] = pathValues.id ? ['uploadVideo', pathValues.id] : ['uploadDocument', topicId];
    return `const uploads = createResumableUploads({ baseUrl: api, token: () => token });\nconst { data, error } = await uploads.${name}({ topicId: ${literal(id)}, file }, ${onProgress});`;
  }
  if (form && path.endsWith('/video'))
    return `const { data, error } = await client.uploadVideo({ topicId: ${literal(pathValues.id)}, file }, ${onProgress});`;
  if (form && 'language' in pathValues)
    return `const { data, error } = await client.uploadCaptions({ topicId: ${literal(pathValues.id)}, language: ${literal(pathValues.language)}, file });`;
  if (form && path.endsWith('/imports'))
    return `const { data, error } = await client.importCurriculum({ file }, ${onProgress});`;
  if (form)
    return `const { data, error } = await client.uploadDocument({ topicId: ${literal(form.topicId)}, file }, ${onProgress});`;
  const params = {
    ...(Object.keys(pathValues).length > 0 && { path: pathValues }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(Object.keys(headers).length > 0 && { header: headers }),
  };
  const options = [
    ...(Object.keys(params).length > 0 ? [`params: ${literal(params)}`] : []),
    ...(json === undefined ? [] : [`body: ${literal(json)}`]),
    ...(csv === undefined
      ? []
      : [`body: ${JSON.stringify(csv)}`, 'bodySerializer: String', "headers: { 'content-type': 'text/csv' }"]),
    ...(returns === 'file' ? ["parseAs: 'blob'"] : returns === 'text' ? ["parseAs: 'text'"] : []),
  ];
  const given = options.length > 0 ? `, { ${options.join(', ')} }` : '';
  if (isList) return `for await (const item of client.each('${path}'${given})) console.log(item);`;
  return `const { data, error } = await client.${method}('${path}'${given});`;
}

/** A value as it is written in code. */
function literal(value: unknown): string {
  if (typeof value === 'string')
    return value.includes("'") || value.includes('\\') ? JSON.stringify(value) : `'${value}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([name, item]) => `${/^\w+$/.test(name) ? name : literal(name)}: ${literal(item)}`)
    .join(', ')} }`;
}

import type { Operation } from './service-documents.ts';

interface Request {
  method: string;
  path: string;
  isPersonal: boolean;
  isList: boolean;
  isDownload: boolean;
  isCsv: boolean;
  pathValues: Record<string, string>;
  query: Record<string, string>;
  json: unknown;
  form: Record<string, unknown> | undefined;
  csv: string | undefined;
}

/** Requests of an operation with curl, fetch and the client, in the form that reference pages read. */
export function samplesOf(method: string, path: string, operation: Operation) {
  const request = toRequest(method, path, operation);
  const sample = (lang: string, label: string, source: string) => ({ lang, label, source });
  return [
    sample('Shell', 'curl', curl(request)),
    sample('JavaScript', 'fetch', fetchCall(request)),
    ...(path.startsWith('/api/webhooks/') ? [] : [sample('TypeScript', '@lms/client', clientCall(request))]),
  ];
}

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
  return {
    method: method.toUpperCase(),
    path,
    isPersonal: security?.every((requirement) => 'bearer' in requirement) === true && security.length > 0,
    isList: Array.isArray(parameters) && parameters.some(({ name }) => name === 'page'),
    isDownload: Object(responses)[206] !== undefined,
    isCsv: Object(Object(responses)[200]).content?.['text/csv'] !== undefined,
    pathValues: values('path'),
    query: values('query'),
    json: json?.example,
    form: csv ? undefined : form?.example,
    csv: csv?.example,
  };
}

function urlOf({ path, pathValues, query }: Request): string {
  const search = new URLSearchParams(query).toString();
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => pathValues[name] ?? '') + (search && `?${search}`);
}

const isFile = (name: string) => ['file', 'video', 'captions'].includes(name);

function curl(request: Request): string {
  const { method, isPersonal, isDownload, isCsv, json, form, csv } = request;
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$API${urlOf(request)}"`,
    ...(isPersonal ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(json === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(json))}`]),
    ...Object.entries(form ?? {}).map(([name, value]) => `-F ${quote(`${name}=${isFile(name) ? '@' : ''}${value}`)}`),
    ...(csv === undefined ? [] : ["-H 'Content-Type: text/csv'", '--data-binary @roster.csv']),
    ...(isDownload ? ['-o download'] : []),
    ...(isCsv ? ['-OJ'] : []),
  ].join(' \\\n  ');
}

function fetchCall(request: Request): string {
  const { method, isPersonal, isDownload, isCsv, json, form, csv } = request;
  const headers = [
    ...(isPersonal ? [`authorization: \`Bearer \${token}\``] : []),
    ...(json === undefined ? [] : ["'content-type': 'application/json'"]),
    ...(csv === undefined ? [] : ["'content-type': 'text/csv'"]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
    ...(json === undefined ? [] : [`body: JSON.stringify(${literal(json)})`]),
    ...(form ? ['body: form'] : []),
    ...(csv === undefined ? [] : [`body: ${JSON.stringify(csv)}`]),
  ];
  const parts = Object.entries(form ?? {}).map(
    ([name, value]) => `form.append('${name}', ${isFile(name) ? 'file' : literal(value)});`,
  );
  return [
    ...(form ? ['const form = new FormData();', ...parts] : []),
    `const response = await fetch(\`\${api}${urlOf(request)}\`${options.length > 0 ? `, {\n${options.map((option) => `  ${option},`).join('\n')}\n}` : ''});`,
    isDownload || isCsv
      ? 'const bytes = await response.blob();'
      : 'const { data, error, code } = await response.json();',
  ].join('\n');
}

function clientCall({ method, path, isList, isDownload, isCsv, pathValues, query, json, form, csv }: Request): string {
  if (form && path.endsWith('/video'))
    return `const { data, error } = await client.uploadVideo({ topicId: ${literal(pathValues.id)}, file }, { onProgress });`;
  if (form && 'language' in pathValues)
    return `const { data, error } = await client.uploadCaptions({ topicId: ${literal(pathValues.id)}, language: ${literal(pathValues.language)}, file });`;
  if (form && path.endsWith('/imports'))
    return 'const { data, error } = await client.importCurriculum({ file }, { onProgress });';
  if (form)
    return `const { data, error } = await client.uploadDocument({ topicId: ${literal(form.topicId)}, file }, { onProgress });`;
  const params = {
    ...(Object.keys(pathValues).length > 0 && { path: pathValues }),
    ...(Object.keys(query).length > 0 && { query }),
  };
  const options = [
    ...(Object.keys(params).length > 0 ? [`params: ${literal(params)}`] : []),
    ...(json === undefined ? [] : [`body: ${literal(json)}`]),
    ...(csv === undefined
      ? []
      : [`body: ${JSON.stringify(csv)}`, 'bodySerializer: String', "headers: { 'content-type': 'text/csv' }"]),
    ...(isDownload || isCsv ? ["parseAs: 'blob'"] : []),
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
    .map(([name, item]) => `${name}: ${literal(item)}`)
    .join(', ')} }`;
}

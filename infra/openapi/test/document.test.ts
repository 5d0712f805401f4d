import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import t from 'tap';
import { parse } from 'yaml';
import { toCollection } from '../src/collection.ts';
import { generate } from '../src/generate.ts';
import { root } from '../src/read-documents.ts';

const committed = (file = 'gateway/openapi.json') => readFile(join(root, file), 'utf8');

t.test('the committed document, collection and page of error codes match the services', async (t) => {
  const files = Object.entries(await generate());
  t.equal(files.length, 3);
  for (const [file, text] of files) t.equal(await committed(file), text, `${file}: pnpm --filter openapi generate`);
});

t.test('every operation has a unique name, a tag, a summary, security and a successful response', async (t) => {
  const document = JSON.parse(await committed());
  const operations = Object.values<object>(document.paths).flatMap((path) => Object.values(path));
  const names = operations.map(({ operationId }) => operationId);
  t.equal(new Set(names).size, operations.length, `${names}`);
  for (const { operationId, tags, summary, security, responses } of operations) {
    t.ok(tags?.length === 1 && summary && Array.isArray(security), `${operationId} has a tag, a summary and security`);
    t.ok(
      Object.keys(responses).some((status) => /^2/.test(status)),
      `${operationId} has a successful response`,
    );
  }
});

t.test('no operation has a parameter twice', async (t) => {
  const { paths, components } = JSON.parse(await committed());
  for (const { operationId, parameters = [] } of Object.values<object>(paths).flatMap((path) => Object.values(path))) {
    const names: string[] = parameters.map(({ $ref, ...inline }: { $ref?: string; in: string; name: string }) => {
      const parameter = $ref ? components.parameters[$ref.split('/').at(-1) ?? ''] : inline;
      return `${parameter.in} ${parameter.name.toLowerCase()}`;
    });
    t.equal(new Set(names).size, names.length, `${operationId}: ${names}`);
  }
});

t.test('every operation documents the common headers and errors', async (t) => {
  const { paths } = JSON.parse(await committed());
  for (const [method, { operationId, parameters, responses }] of Object.values<object>(paths).flatMap((path) =>
    Object.entries(path),
  )) {
    const parameterText = JSON.stringify(parameters);
    const success = responses[200] ?? responses[201] ?? responses[202] ?? responses[204];
    t.ok(
      responses[400] && responses[414] && responses[429] && responses[503] && responses[504],
      `${operationId} has the errors of the gateway`,
    );
    t.ok(
      success.headers['X-Request-Id'] && success.headers['X-RateLimit-Remaining'],
      `${operationId} has the rate limit headers`,
    );
    if (success.content?.['text/csv']) t.ok(success.headers['Content-Disposition'], operationId);
    else if (method === 'get' && responses[200])
      t.ok(responses[304] && success.headers.ETag && parameterText.includes('IfNoneMatch'), operationId);
    else if (!['get', 'head', 'options'].includes(method))
      t.ok(responses[408] && responses[413] && responses[415], `${operationId} has the errors of requests with a body`);
    if (method !== 'options') t.ok(responses[422], `${operationId} has the error of invalid values`);
    // Also where none is required, a token that is sent is verified.
    if (method !== 'options' && operationId !== 'receiveWebhook')
      t.ok(responses[401] && responses[403], `${operationId} has the errors of tokens`);
    if (parameterText.includes('"page"')) t.ok(success.headers.Link, `${operationId} has a Link header`);
    if (parameterText.includes('IdempotencyKey'))
      t.ok(
        responses[409] && responses[422] && success.headers['Idempotency-Replayed'],
        `${operationId} documents idempotency`,
      );
    if (responses[206]) t.ok(parameterText.includes('Range') && responses[206].headers['Content-Range'], operationId);
  }
});

t.test('operations name their roles, and the entity tags and waits of their responses', async (t) => {
  const { paths } = JSON.parse(await committed());
  const operations = Object.values<object>(paths).flatMap((path) => Object.values(path));
  const find = (wanted: string) => operations.find(({ operationId }) => operationId === wanted);
  t.match(find('createLevel'), { 'x-roles': ['ADMIN'], description: /Requires the role `ADMIN`\.$/ });
  t.match(find('uploadDocument').description, /Requires one of the roles `ADMIN` and `MENTOR`\.$/);
  for (const name of ['getProfile', 'listLevels']) t.notMatch(find(name).description, /Requires/, name);
  for (const [name, status, header] of [
    ['createLevel', 201, 'ETag'],
    ['restoreTopic', 200, 'ETag'],
    ['assignSubjectMentor', 200, 'ETag'],
    ['getDocumentUploadResult', 202, 'Retry-After'],
    ['createImport', 202, 'Idempotency-Replayed'],
  ] as const)
    t.ok(find(name).responses[status].headers[header], `${name} ${status} ${header}`);
  t.equal(find('deleteLevel').responses[200].headers.ETag, undefined);
  t.equal(find('getDocumentUploadResult').responses[304], undefined);
});

t.test('every path parameter names the resource of its 404', async (t) => {
  const { paths } = JSON.parse(await committed());
  for (const { operationId, parameters } of Object.values<object>(paths).flatMap((path) => Object.values(path)))
    for (const { name, in: location, ...rest } of parameters)
      if (location === 'path') t.match(JSON.stringify(rest), /"x-resource":"[A-Z][a-z ]+"/, `${operationId} ${name}`);
});

t.test('every body field with restrictions has an example', async (t) => {
  const { paths } = JSON.parse(await committed());
  const operations = Object.values<object>(paths).flatMap((path) => Object.values(path));
  for (const { operationId, requestBody } of operations) {
    const { properties = {} } = requestBody?.content['application/json']?.schema ?? {};
    for (const [name, { format, pattern, maximum, examples }] of Object.entries<Record<string, unknown>>(properties))
      t.ok(examples ?? (!format && !pattern && !maximum), `${operationId} has an example of ${name}`);
  }
});

t.test('nothing that may be left out is filled in by the reference, but for defaults', async (t) => {
  const { paths } = JSON.parse(await committed());
  for (const { operationId, parameters } of Object.values<object>(paths).flatMap((path) => Object.values(path)))
    for (const { name, required, example, schema } of parameters)
      t.ok(required || (example === undefined && schema?.example === undefined), `${operationId} ${name}`);
});

t.test('the samples of every operation name its path and send what it requires', async (t) => {
  const { paths } = JSON.parse(await committed());
  const operations = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, ...operation })),
  );
  for (const { path, operationId, parameters, security, 'x-codeSamples': samples } of operations) {
    const place = new RegExp(`${path.replaceAll(/\{\w+\}/g, '[\\w-]+').replaceAll('.', '\\.')}["\`'?]`);
    const headers = parameters.filter(
      (parameter: { in: string; required: boolean }) => parameter.in === 'header' && parameter.required,
    );
    for (const { label, source } of samples) {
      const name = `${operationId} with ${label}`;
      t.notMatch(source, /(FormData|-F ).*application\/json/s, `${name} sends either a form or JSON`);
      t.notMatch(source, /undefined/, `${name} has all values`);
      if (label === '@lms/client') {
        t.match(
          source,
          /client\.(each|GET|POST|PUT|DELETE|import|upload)|uploads\.upload/,
          `${name} calls what there is`,
        );
        continue;
      }
      t.match(source, place, name);
      for (const header of headers) t.ok(source.includes(header.name), `${name} sends ${header.name}`);
      const credentials = Object.keys(security[0] ?? {}).join();
      const sent = { bearer: /Bearer/, webhookSignature: /x-webhook-signature/i }[credentials];
      if (sent) t.match(source, sent, `${name} sends its credentials`);
    }
  }
});

t.test('every operation is described, and every body has an example that its schema accepts', async (t) => {
  const document = JSON.parse(await committed());
  const { paths, components } = document;
  const validator = new Ajv({ strict: false, code: { optimize: false } });
  addFormats.default(validator);
  validator.addFormat('web-url', /^https?:/);
  validator.addFormat('binary', true);
  // The schemas are found by their places in the document, so each of those that they share is compiled once.
  validator.addSchema(document, 'document');
  const toToken = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
  const problems: string[] = [];
  function check(place: string[], schema: object, examples: unknown[]) {
    const name = place.join(' ');
    if (!validator.validateSchema(schema)) problems.push(`${name} is no schema: ${validator.errorsText()}`);
    const validate = validator.getSchema(`document#/${place.map(toToken).join('/')}`);
    if (!validate) throw new Error(`${name} was not found`);
    for (const example of examples)
      if (example === undefined || !validate(example))
        problems.push(`${name}: ${JSON.stringify(example)}: ${validator.errorsText(validate.errors)}`);
  }
  let checked = 0;
  for (const [path, methods] of Object.entries<object>(paths))
    for (const [method, { description, requestBody, responses }] of Object.entries(methods)) {
      if (!description) problems.push(`${method} ${path} has no description`);
      const bodies: [string[], { content?: Record<string, { schema: object; example?: unknown }> }][] = [
        [['requestBody'], requestBody ?? {}],
        ...Object.entries<object>(responses).map(([status, body]): [string[], object] => [['responses', status], body]),
      ];
      for (const [place, { content = {} }] of bodies)
        for (const [type, { schema, example }] of Object.entries(content))
          if (['application/json', 'multipart/form-data', 'text/csv'].includes(type)) {
            check(['paths', path, method, ...place, 'content', type, 'schema'], schema, [example]);
            checked += 1;
          }
    }
  for (const [name, schema] of Object.entries<object>(components.schemas))
    if (!validator.validateSchema(schema)) problems.push(`${name} is no schema: ${validator.errorsText()}`);
  for (const [name, { content }] of Object.entries<Record<string, Record<string, object>>>(components.responses)) {
    const { schema, examples } = Object(content?.['application/json']);
    const values = Object.values<{ value: unknown }>(examples).map(({ value }) => value);
    check(['components', 'responses', name, 'content', 'application/json', 'schema'], schema, values);
    checked += values.length;
  }
  t.ok(checked > 150, `${checked} examples`);
  t.same(problems, []);
});

t.test('the examples are of operations that exist, and what belongs together has the same ids', async (t) => {
  const { paths } = JSON.parse(await committed());
  const operations = Object.values<object>(paths).flatMap((path) => Object.values(path));
  const names = operations.map(({ operationId }) => operationId);
  const examples = parse(await committed('infra/openapi/examples.yaml'), { merge: true });
  for (const name of Object.keys(examples.operations)) t.ok(names.includes(name), name);
  const bodiesOf = (wanted: string) => {
    const { parameters, requestBody, responses } = operations.find(({ operationId }) => operationId === wanted);
    const exampleOf = (body?: { content: Record<string, { example: unknown }> }) => body?.content['application/json'];
    return { parameters, request: exampleOf(requestBody), response: exampleOf(responses[200] ?? responses[201]) };
  };
  const { subject } = examples.records;
  const { request, response } = bodiesOf('createTopic');
  t.match(request, { example: { subjectId: subject.id, name: 'Whole numbers' } });
  t.match(response, { example: { data: { subjectId: subject.id, name: 'Whole numbers' } } });
  const read = bodiesOf('getSubject');
  t.equal(read.parameters.find(({ name }: { name: string }) => name === 'id').example, subject.id);
  t.match(read.response, { example: { data: { id: subject.id, topics: [{ subjectId: subject.id }] } } });
});

t.test('the document and the client have the version of the service', async (t) => {
  const versionIn = async (path: string) => JSON.parse(await committed(path)).version;
  const { info } = JSON.parse(await committed());
  t.match(info.version, /^\d+\.\d+\.\d+$/);
  t.equal(info.version, await versionIn('package.json'));
  t.equal(info.version, await versionIn('packages/client/package.json'));
});

t.test('the collection sends the bytes of resumable uploads from a file', async (t) => {
  const streams = toCollection(JSON.parse(await committed())).item.flatMap(({ item }) =>
    item.filter(({ request }) => request.method === 'PATCH'),
  );
  t.equal(streams.length, 2);
  for (const { name, request } of streams) {
    t.equal(request.body?.mode, 'file', name);
    t.ok(
      request.header.some(({ key, value }) => key === 'content-type' && value === 'application/offset+octet-stream'),
    );
  }
});

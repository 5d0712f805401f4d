import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '@lms/testing/browser';
import { waitFor } from '@lms/testing/wait-for';
import { build } from 'esbuild';
import t, { type Test } from 'tap';
import { createResumableUploads } from '../src/resumable.ts';
import { failure, json, serve } from './serve.ts';

type Respond = (response: ServerResponse) => unknown;
type Step = 'disconnect' | Respond;

const tus = { 'tus-resumable': '1.0.0' };
const refuse = (status: number, code: string) => (response: ServerResponse) => json(response, status, failure(code));
const wait: Respond = (response) => json(response, 202, { success: true, data: {} });
const succeed: Respond = (response) => json(response, 201, { success: true, data: { id: 'd' } });
const cutOff: Respond = (response) => {
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': 100 }).write('{');
  setTimeout(() => response.destroy(), 50);
};
const file = new File(['some notes'], 'notes.txt');
const document = { topicId: 't', file };

/** A server of resumable uploads; each method has its steps, before it does what it should. */
async function serveUploads(t: Test, steps: Partial<Record<string, Step[]>>) {
  const requests: string[] = [];
  let offset = 0;
  const served = await serve(t, async (request, response) => {
    const { method = '', url = '' } = request;
    const name = url.endsWith('/result') ? 'result' : method;
    requests.push(name);
    let received = 0;
    for await (const chunk of request) received += chunk.length;
    const step = steps[name]?.shift();
    if (step === 'disconnect') return request.socket.destroy();
    if (step) return step(response);
    if (name === 'result') return succeed(response);
    if (method === 'PATCH') offset += received;
    if (method === 'POST') offset = 0;
    const status = { POST: 201, HEAD: 200 }[method] ?? 204;
    const length = { 'upload-offset': `${offset}`, 'upload-length': `${file.size}` };
    return response.writeHead(status, { ...tus, ...length, location: '/api/s3/document/uploads/u' }).end();
  });
  return { ...served, requests };
}

t.test('a resumable upload waits for its result beyond errors that end, and sends the file once', async (t) => {
  const errors = [refuse(503, 'SERVICE_UNAVAILABLE'), refuse(408, 'REQUEST_TIMEOUT'), refuse(429, 'RATE_LIMITED')];
  const steps = { result: [wait, 'disconnect' as const, ...errors, cutOff, wait, ...errors, 'disconnect' as const] };
  const { baseUrl, requests } = await serveUploads(t, steps);
  const uploads = createResumableUploads({ baseUrl, retryDelaysMs: [0, 10, 10, 10, 10] });
  const { data } = await uploads.uploadDocument(document);
  t.equal(data?.data.id, 'd');
  t.strictSame(requests, ['POST', 'PATCH', ...Array<string>(12).fill('result')]);
});

t.test('a resumable upload returns the error of a quota, and the last one of others', async (t) => {
  const steps = {
    result: [refuse(429, 'QUOTA_EXCEEDED'), ...Array<Respond>(3).fill(refuse(503, 'SERVICE_UNAVAILABLE'))],
  };
  const { baseUrl, requests } = await serveUploads(t, steps);
  const uploads = createResumableUploads({ baseUrl, retryDelaysMs: [0, 0] });
  t.equal((await uploads.uploadDocument(document)).error?.code, 'QUOTA_EXCEEDED');
  t.strictSame(requests, ['POST', 'PATCH', 'result']);
  t.equal((await uploads.uploadDocument(document)).error?.code, 'SERVICE_UNAVAILABLE');
  t.equal(requests.length, 8);
});

t.test('a resumable upload goes on after a 408', async (t) => {
  const timeout = refuse(408, 'REQUEST_TIMEOUT');
  const { baseUrl, requests } = await serveUploads(t, { PATCH: [timeout], HEAD: [timeout] });
  const uploads = createResumableUploads({ baseUrl, retryDelaysMs: [0, 0] });
  t.equal((await uploads.uploadDocument(document)).data?.data.id, 'd');
  t.strictSame(requests, ['POST', 'PATCH', 'HEAD', 'HEAD', 'PATCH', 'result']);
});

t.test('an aborted upload ends at once, and is deleted when the server can be reached', async (t) => {
  const abort = new AbortController();
  const leave: Respond = () => abort.abort(new Error('left'));
  const { baseUrl, requests } = await serveUploads(t, { PATCH: [leave], DELETE: ['disconnect', 'disconnect'] });
  const uploads = createResumableUploads({ baseUrl, retryDelaysMs: [500, 500, 500] });
  await t.rejects(uploads.uploadDocument(document, { signal: abort.signal }), { message: 'left' });
  t.ok(requests.length <= 3, `${requests}`);
  await waitFor(async () => requests.length === 5, { timeoutMs: 10_000, until: 'the third DELETE' });
  t.strictSame(requests, ['POST', 'PATCH', 'DELETE', 'DELETE', 'DELETE']);
});

t.test('an upload that is aborted while it waits for its result is deleted', async (t) => {
  const abort = new AbortController();
  const leave: Respond = () => abort.abort(new Error('left'));
  const steps = { result: [wait, leave], DELETE: [refuse(423, 'LOCKED')] };
  const { baseUrl, requests } = await serveUploads(t, steps);
  const uploads = createResumableUploads({ baseUrl, retryDelaysMs: [10] });
  await t.rejects(uploads.uploadDocument(document, { signal: abort.signal }), { message: 'left' });
  await waitFor(async () => requests.length === 6, { timeoutMs: 10_000, until: 'the second DELETE' });
  t.strictSame(requests, ['POST', 'PATCH', 'result', 'result', 'DELETE', 'DELETE']);
});

t.test('an upload that is aborted while it waits for a token sends nothing more', async (t) => {
  const abort = new AbortController();
  const { baseUrl, requests } = await serveUploads(t, {});
  let asked = 0;
  const token = async () => {
    asked += 1;
    if (asked === 2) abort.abort(new Error('left'));
    return 'token';
  };
  await t.rejects(createResumableUploads({ baseUrl, token }).uploadDocument(document, { signal: abort.signal }));
  await waitFor(async () => requests.includes('DELETE'), { timeoutMs: 10_000, until: 'the DELETE' });
  t.strictSame(requests, ['POST', 'DELETE']);
});

t.test('a browser repeats an upload whose result it has not got without the file', async (t) => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createResumableUploads } from ${JSON.stringify(fileURLToPath(new URL('../src/resumable.ts', import.meta.url)))};
        window.send = async () => {
          const { uploadDocument } = createResumableUploads({ baseUrl: location.origin, retryDelaysMs: [] });
          const file = new File(['some notes'], 'notes.txt', { lastModified: 0 });
          const sent = await uploadDocument({ topicId: 't', file }).catch(() => ({}));
          return [sent.response?.status, localStorage.length];
        };`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const page: Respond = (response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<script type=module>${outputFiles[0]?.text}</script>`);
  const unavailable = refuse(503, 'SERVICE_UNAVAILABLE');
  const steps = { GET: [page], result: [cutOff, unavailable, succeed, refuse(403, 'FORBIDDEN')] };
  const { baseUrl, requests } = await serveUploads(t, steps);
  const browser = await openBrowser(t);
  const tab = await browser.newPage();
  await tab.goto(baseUrl);
  await tab.waitForFunction('window.send');
  const sent: unknown[] = [];
  for (let times = 0; times < 4; times += 1) sent.push(await tab.evaluate('window.send()'));
  t.strictSame(sent, [
    [undefined, 1],
    [503, 1],
    [201, 0],
    [403, 0],
  ]);
  const once = ['POST', 'PATCH', 'result'];
  t.strictSame(
    requests.filter((name) => name !== 'GET'),
    [...once, 'HEAD', 'result', 'HEAD', 'result', ...once],
    'a final result is the end, and the file is another upload',
  );
});

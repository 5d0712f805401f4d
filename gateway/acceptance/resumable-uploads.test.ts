import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createResumableUploads } from '@lms/client/resumable';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import t from 'tap';
import { startCuttingProxy } from './cutting-proxy.ts';
import { adminToken, call, createCourse, createUser, gatewayUrl, readStackFile } from './system.ts';

const mebibyte = 1_024 * 1_024;
const size = 12 * mebibyte;
const head = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomavc1', 'latin1');
const sha256 = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const retryDelaysMs = Array<number>(200).fill(250);
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

async function createMentor() {
  const admin = await adminToken();
  const mentor = await createUser('mentor');
  const { body } = await call('/api/auth/profile', { token: mentor.token });
  const granted = await call(`/api/users/${body.data.id}/roles`, {
    method: 'POST',
    token: admin,
    json: { role: 'MENTOR' },
  });
  if (granted.status !== 201) throw new Error(`${granted.status}`);
  const course = await createCourse(admin, mentor);
  for (;;) {
    const { body: profile } = await call('/api/auth/profile', { token: mentor.token });
    if (profile.data.roles.includes('MENTOR')) return { ...mentor, ...course };
    await pause(50);
  }
}

const kill = async (part: string) => {
  const found = (await readStackFile())[part];
  if (!found) throw new Error(`${part} is not in stack.json`);
  process.kill(found.pid, 'SIGKILL');
};

t.test('an upload survives cut connections, and the death of media and of the gateway', async (t) => {
  const { token, topic } = await createMentor();
  // Eight connections cannot send the whole file.
  const proxy = await startCuttingProxy(t, gatewayUrl, { cuts: 8, maxBytes: 1.25 * mebibyte });
  proxy.onCut((count) => {
    if (count === 3) void kill('media');
    if (count === 6) void kill('gateway');
  });
  const bytes = Buffer.concat([head, randomBytes(size - head.length)]);
  const uploads = createResumableUploads({ baseUrl: proxy.url, token: () => token, retryDelaysMs });
  const progress: number[] = [];
  const file = new File([bytes], 'lesson.mp4');
  const sent = await uploads.uploadVideo(
    { topicId: topic.id, file },
    { onProgress: (count, total) => progress.push(count / total) },
  );
  t.equal(sent.response.status, 200, JSON.stringify(sent.error));
  t.equal(proxy.cuts(), 8);
  t.equal(proxy.posts(), 1, 'it never began again');
  t.match(sent.data?.data, { topicId: topic.id, video: { fileName: 'lesson.mp4', size, checksum: sha256(bytes) } });
  t.equal(Math.max(...progress), 1);

  const read = await call(`/api/education/topics/${topic.id}/video`, { token });
  t.ok(read.bytes.equals(bytes));
  // The gateway that was started again may not be ready yet.
  const used = async () => Object((await call('/api/auth/usage', { token })).body.data).uploads?.used;
  const deadline = Date.now() + 20_000;
  while ((await used()) !== 1 && Date.now() < deadline) await pause(50);
  t.equal(await used(), 1, 'it counts once');

  const refused = await uploads.uploadVideo({ topicId: topic.id, file: new File([bytes], 'lesson.mkv') });
  t.match(refused, { response: { status: 400 }, error: { code: 'UNSUPPORTED_FORMAT' } });
  const disguised = new File([Buffer.from('%PDF-1.7')], 'lesson.mp4');
  t.match(await uploads.uploadVideo({ topicId: topic.id, file: disguised }), {
    response: { status: 400 },
    error: { code: 'UNSUPPORTED_FORMAT' },
  });
  const notes = new File(['some notes'], 'notes.txt');
  const document = await uploads.uploadDocument({ topicId: topic.id, file: notes, name: 'Notes' });
  t.match(document, { response: { status: 201 }, data: { data: { name: 'Notes', mimeType: 'text/plain' } } });
});

t.test('Chromium resumes an upload after cut connections', async (t) => {
  const [token, { topic }] = await Promise.all([adminToken(), adminToken().then((admin) => createCourse(admin))]);
  const proxy = await startCuttingProxy(t, gatewayUrl, { cuts: 5, maxBytes: 2 * mebibyte });
  const client = fileURLToPath(import.meta.resolve('@lms/client/resumable'));
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createResumableUploads } from ${JSON.stringify(client)};
        window.send = async (baseUrl, token, topicId, bytes) => {
          const uploads = createResumableUploads({ baseUrl, token: () => token, retryDelaysMs: Array(200).fill(250) });
          const content = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
          const { data, error } = await uploads.uploadVideo({ topicId, file: new File([content], 'lesson.webm') });
          return JSON.stringify(data ?? error);
        };`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const server = createServer((request, response) => {
    if (request.url === '/app.js') response.setHeader('content-type', 'text/javascript').end(outputFiles[0]?.text);
    else response.setHeader('content-type', 'text/html').end('<script type="module" src="/app.js"></script>');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => server.close());
  const address = server.address();

  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
  const browser = await chromium.launch({ executablePath, args });
  t.teardown(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${typeof address === 'object' && address?.port}`);
  await page.waitForFunction('window.send');
  const bytes = Buffer.concat([Buffer.from('1a45dfa39f4282847765626d', 'hex'), randomBytes(size)]);
  const sent = [proxy.url, token, topic.id, bytes.toString('base64')].map((value) => JSON.stringify(value)).join();
  const { data } = JSON.parse(String(await page.evaluate(`window.send(${sent})`)));
  t.equal(data?.video.checksum, sha256(bytes));
  t.equal(proxy.cuts(), 5);
});

import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request } from 'node:http';
import { Transform } from 'node:stream';
import { openBrowser } from '@lms/testing/browser';
import { listen } from '@lms/testing/listen';
import { passportHeaders, testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { dataOf, file, form, type Media, startMedia } from './start-media.ts';

const admin = testPrincipal(['ADMIN']);
const page = '<!doctype html><title>A lesson</title><video id="lesson" muted width="320"></video>';

const pdf = Buffer.from(
  `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >> endobj
4 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] >> endobj
5 0 obj << /Title (A handout) >> endobj
trailer << /Root 1 0 R /Info 5 0 R >>
`,
);

/** The first seconds of the video. */
const heldBackAfter = 100_000;

/** Of a video from its beginning, only the first seconds arrive, so that the player has to request what it seeks to. */
function holdBack(response: IncomingMessage) {
  if (!response.headers['content-range']?.startsWith('bytes 0-')) return response;
  let sent = 0;
  const beginning = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length;
      if (sent <= heldBackAfter) done(null, chunk);
    },
  });
  return response.pipe(beginning);
}

/** Stands in for the gateway: serves a page, and on the same origin forwards requests to media with the user's passport. */
async function startOrigin(t: Test, media: Media, user: ReturnType<typeof testPrincipal>) {
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/') return outgoing.writeHead(200, { 'content-type': 'text/html' }).end(page);
    const passport = incoming.url?.includes('playback=') ? {} : passportHeaders(user);
    const { port } = media;
    const { url: path, method, headers } = incoming;
    const inner = request(
      { host: '127.0.0.1', port, path, method, headers: { ...headers, ...passport } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        holdBack(response).pipe(outgoing);
      },
    );
    inner.on('error', () => outgoing.destroy());
    outgoing.on('close', () => inner.destroy());
    return incoming.pipe(inner);
  });
  return listen(t, server);
}

t.test('with one browser', async (t) => {
  const browser = await openBrowser(t);
  const media = await startMedia(t);

  t.test('it plays a playback URL and seeks in it', async (t) => {
    const learner = testPrincipal();
    const topic = media.content.addTopic({ enrolled: new Set([learner.userId]) });
    const bytes = await readFile(new URL('../test/assets/lesson.webm', import.meta.url));
    const uploaded = await media.send(admin, `/api/admin/education/topics/${topic.id}/video`, {
      ...form(['video', file(bytes, 'lesson.webm')]),
      method: 'PUT',
    });
    t.equal(uploaded.status, 200);
    const playback = await media.send(learner, `/api/education/topics/${topic.id}/video/playback`, { method: 'POST' });
    const { pathname, search } = new URL((await dataOf(playback)).url);

    const ranges: string[] = [];
    media.app.server.on('request', ({ url, headers }: IncomingMessage) => {
      if (url?.includes('playback=')) ranges.push(headers.range ?? 'none');
    });
    const origin = await startOrigin(t, media, learner);
    const tab = await browser.newPage();
    tab.setDefaultTimeout(120_000);
    await tab.goto(origin);
    const time = () => tab.evaluate<number>('document.querySelector("video").currentTime');
    await tab.evaluate(`document.querySelector('video').src = ${JSON.stringify(`${pathname}${search}`)}`);
    await tab.evaluate('document.querySelector("video").play()');
    await waitFor(async () => (await time()) > 0.5, { until: 'half a second of video' });

    await tab.evaluate('document.querySelector("video").currentTime = 45');
    await waitFor(async () => (await time()) > 45.5, {
      until: 'playback after the seek',
    });
    t.equal(await tab.evaluate('document.querySelector("video").error'), null);
    t.equal(ranges[0], 'bytes=0-');
    t.ok(
      ranges.some((range) => /^bytes=[1-9]\d*-/.test(range)),
      `the seek requested a range: ${ranges.join(' ')}`,
    );
  });

  t.test('it displays a PDF in its viewer in spite of the restrictive headers', async (t) => {
    const learner = testPrincipal();
    const topic = media.content.addTopic({ enrolled: new Set([learner.userId]) });
    const parts = form(['file', file(pdf, 'handout.pdf')], ['topicId', topic.id], ['metadata', '{}']);
    const entry = await dataOf(await media.send(admin, '/api/s3/document/upload', parts));

    const path = `/api/s3/document/stream?key=${entry.key}`;
    const { headers } = await media.send(learner, path);
    t.match(Object.fromEntries(headers), { 'content-type': 'application/pdf', 'content-security-policy': /^sandbox/ });
    const tab = await browser.newPage();
    tab.setDefaultTimeout(120_000);
    await tab.goto(`${await startOrigin(t, media, learner)}${path}`);
    const viewer = await waitFor(() => tab.frames().find((frame) => frame.url().startsWith('chrome-extension:')));
    await waitFor(async () => (await viewer.locator('#pagelength').textContent()) === '2', {
      until: 'two pages',
    });
    t.equal(await viewer.locator('#title').first().textContent(), 'A handout');
  });
});

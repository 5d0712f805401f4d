import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '@lms/testing/browser';
import { build } from 'esbuild';
import t, { type Test } from 'tap';
import { failure, json, serve } from './serve.ts';

t.jobs = 2;

const browser = await openBrowser(t);

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const film = await readFile(pathOf('../../../infra/local/assets/number-line.mp4'));
const { outputFiles } = await build({
  stdin: {
    contents: `
      import { createClient } from '@lms/client';
      import { createPlayer } from ${JSON.stringify(pathOf('../examples/web/player.ts'))};
      const client = createClient({ baseUrl: location.origin, retries: 0 });
      const { part, load } = await createPlayer(client, 'topic');
      document.body.append(part);
      load();`,
    resolveDir: pathOf('.'),
  },
  bundle: true,
  format: 'esm',
  write: false,
  alias: { '@lms/client': pathOf('../src/index.ts') },
  nodePaths: [pathOf('../node_modules')],
});

/** Opens a page with the player, whose first addresses do not work. Then the connection is lost, and then the service is unavailable. */
async function openPlayer(t: Test, fileOf: (token: number) => { hls: string | null; url: string }) {
  const requested: string[] = [];
  let playbacks = 0;
  const { baseUrl } = await serve(t, (request, response) => {
    const { method, url = '' } = request;
    if (url === '/')
      return response.setHeader('content-type', 'text/html').end('<script type=module src=/app.js></script>');
    if (url === '/app.js') return response.setHeader('content-type', 'text/javascript').end(outputFiles[0]?.text);
    if (method === 'POST') {
      playbacks += 1;
      if (playbacks === 2) return json(response, 503, failure('SERVICE_UNAVAILABLE'));
      if (playbacks > 3) return json(response, 403, failure('ENROLLMENT_REQUIRED'));
      const token = playbacks === 1 ? 1 : 2;
      return json(response, 200, { success: true, data: { ...fileOf(token), captions: [], expiresInSeconds: 900 } });
    }
    if (!url.startsWith('/api/playback/')) return json(response, 404, failure('NOT_FOUND'));
    requested.push(url);
    if (url === '/api/playback/2/film.mp4') return response.setHeader('content-type', 'video/mp4').end(film);
    return json(response, 404, failure('NOT_FOUND'));
  });
  const page = await browser.newPage();
  t.teardown(() => page.close());
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  let attempts = 0;
  await page.route('**/video/playback', (route) => {
    attempts += 1;
    return attempts === 2 ? route.abort() : route.continue();
  });
  await page.goto(baseUrl);
  const waitForStatus = (text: string) =>
    page.waitForFunction(`document.querySelector('[role=status]')?.textContent.startsWith(${JSON.stringify(text)})`);
  await waitForStatus('The connection was lost');
  return { page, problems, requested, waitForStatus, attempts: () => attempts };
}

t.test('the web example opens a lost adaptive playback again until the service refuses', async (t) => {
  const player = await openPlayer(t, (token) => ({ hls: `/api/playback/${token}/master.m3u8`, url: '' }));
  await player.waitForStatus('Failed');
  t.strictSame(player.requested, ['/api/playback/1/master.m3u8', '/api/playback/2/master.m3u8']);
  t.equal(player.attempts(), 5);
  t.strictSame(player.problems, []);
});

t.test('the web example opens a lost original file again until it can be played', async (t) => {
  const player = await openPlayer(t, (token) => ({ hls: null, url: `/api/playback/${token}/film.mp4` }));
  await player.page.waitForFunction('document.querySelector("video").readyState >= 2');
  t.equal(await player.page.locator('[role=status]').textContent(), '');
  t.ok(player.requested.includes('/api/playback/1/film.mp4'));
  t.equal(player.attempts(), 4);
  t.strictSame(player.problems, []);
});

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openBrowser } from '@lms/testing/browser';
import { waitFor } from '@lms/testing/wait-for';
import type { Route } from 'playwright-core';
import t, { type Test } from 'tap';
import { createClient, unwrap } from '../src/index.ts';
import { gatewayUrl, register, tokenOf } from './system.ts';
import { createCourse, openPage, signIn, startApp, takePictures } from './web-app.ts';

const run = promisify(execFile);
const seconds = 90;
const captions = Array.from({ length: seconds }, (_, at) => `${toTime(at)} --> ${toTime(at + 1)}\nSecond ${at}\n`);

function toTime(second: number): string {
  return `00:${String(Math.floor(second / 60)).padStart(2, '0')}:${String(second % 60).padStart(2, '0')}.000`;
}

/** An AVI file, which no browser plays, with few pictures and silence: anything else takes long to make and to transcode. */
async function makeFilm(t: Test): Promise<File> {
  const directory = await mkdtemp(join(tmpdir(), 'lms-player-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, 'film.avi');
  const picture = ['-f', 'lavfi', '-i', `testsrc=size=640x360:rate=2:duration=${seconds}`];
  const sound = ['-f', 'lavfi', '-i', `anullsrc=r=8000:cl=mono:duration=${seconds}`];
  await run('ffmpeg', ['-nostdin', '-v', 'error', ...picture, ...sound, '-c:v', 'mpeg4', '-q:v', '8', path]);
  return new File([await readFile(path)], 'film.avi');
}

t.test('the web example plays an uploaded AVI file adaptively, until the enrollment is revoked', async (t) => {
  await mkdir('artifacts', { recursive: true });
  const [app, film, { client: admin, subject, topic }, email] = await Promise.all([
    startApp(t),
    makeFilm(t),
    createCourse(),
    register('Viewer'),
  ]);
  await unwrap(admin.uploadVideo({ topicId: topic.id, file: film }));
  const file = new File([`WEBVTT\n\n${captions.join('\n')}`], 'film.vtt');
  const captioned = { topicId: topic.id, language: 'en', file, default: true };
  t.match(await unwrap(admin.uploadCaptions(captioned)), { language: 'en', default: true });

  const token = await tokenOf(email);
  const learner = createClient({ baseUrl: gatewayUrl, token: () => token });
  const { id: userId } = await unwrap(learner.GET('/api/auth/profile'));
  const enrollment = await unwrap(admin.POST('/api/admin/enrollment', { body: { userId, subjectId: subject.id } }));
  const path = { id: topic.id };
  const readVideo = async () => (await unwrap(learner.GET('/api/education/topics/{id}', { params: { path } }))).video;
  await waitFor(async () => (await readVideo())?.status === 'ready', { timeoutMs: 240_000, until: 'the renditions' });
  t.match(await readVideo(), {
    ...{ width: 640, height: 360, hasAudio: true },
    renditions: [{ height: 240 }, { height: 360 }],
    captions: [{ language: 'en', label: 'English', kind: 'captions', default: true }],
  });

  const browser = await openBrowser(t);
  const { page } = await openPage(t, browser, `${app}/#/courses`);
  const requested: string[] = [];
  page.on('request', (request) => request.url().includes('.m4s') && requested.push(request.url()));
  // The addresses seem to expire soon, so that the client renews them.
  let playbacks = 0;
  await page.route('**/video/playback', async (route: Route) => {
    const response = await route.fetch();
    const body = await response.json().catch(() => undefined);
    if (body?.data) body.data.expiresInSeconds = 62;
    await route.fulfill({ response, json: body });
    playbacks += 1;
  });
  await signIn(page, email);
  await page.goto(`${app}/#/topics/${topic.id}`);
  const video = 'document.querySelector("video")';
  await page.waitForFunction(`${video}?.readyState >= 2`);
  t.match(await page.evaluate(`${video}.src`), /^blob:/, 'hls.js plays it');
  t.match(await page.evaluate(`${video}.poster`), /poster\.jpg$/);

  const select = page.getByLabel('Quality');
  t.same(await select.locator('option').allTextContents(), ['Automatic quality', '240p', '360p']);
  await page.evaluate(`${video}.play()`);
  for (const height of [240, 360]) {
    await select.selectOption(`${height}p`);
    // Otherwise the browser plays what it has decoded until the next segment, which takes seconds.
    await page.evaluate(`${video}.currentTime += 0.1`);
    await page.waitForFunction(`${video}.videoHeight === ${height}`);
  }
  await page.waitForFunction(`${video}.currentTime > 2`);
  t.equal(await page.evaluate(`${video}.textTracks[0].mode`), 'showing');
  t.equal(await page.evaluate(`${video}.textTracks.length`), 1, 'the captions of the playlist are not shown as well');
  await page.waitForFunction(`${video}.textTracks[0].activeCues?.length > 0`);
  t.match(await page.evaluate(`${video}.textTracks[0].activeCues[0].text`), /^Second \d+$/);
  const tokens = () => new Set(requested.map((url) => url.split('/').at(-3)));
  await waitFor(async () => playbacks >= 2, { timeoutMs: 60_000, until: 'a renewed playback' });
  // The film may be in the buffer already; another quality is not.
  await select.selectOption('240p');
  await waitFor(async () => tokens().size >= 2, { timeoutMs: 60_000, until: 'a segment with a renewed token' });
  await takePictures(t, page, 'player');

  await page.evaluate(`${video}.pause(); ${video}.currentTime = 21; ${video}.play()`);
  const positionSaved = page.waitForResponse((response) => response.url().endsWith('/position'));
  await page.evaluate(`${video}.pause()`);
  t.equal((await positionSaved).status(), 200);
  await page.reload();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForFunction(`${video}?.currentTime >= 20 && ${video}.readyState >= 2`);

  await page.evaluate(`${video}.play()`);
  const { hls } = await unwrap(learner.POST('/api/education/topics/{id}/video/playback', { params: { path } }));
  const fetchSegment = async () => {
    const response = await fetch(hls?.replace('master.m3u8', '240/0.m4s') ?? '');
    // An unread body would keep this process alive until the gateway ends the connection.
    await response.arrayBuffer();
    return response.status;
  };
  t.equal(await fetchSegment(), 200);
  await unwrap(admin.PUT('/api/admin/enrollment/{id}/revoke', { params: { path: { id: enrollment.id } }, body: {} }));
  const revokedAt = Date.now();
  // It takes a second while NATS runs; the bound is what is promised without it.
  await waitFor(async () => (await fetchSegment()) === 403, { timeoutMs: 10_000, until: 'the end of the playback' });
  t.comment(`segments are refused ${Date.now() - revokedAt} ms after the revocation`);
  await page.getByText('Only learners who are enrolled').waitFor();
  await page.waitForFunction(`${video}.paused`);
  const before = requested.length;
  await page.evaluate(`${video}.play().catch(() => undefined); ${video}.currentTime = 80`);
  t.equal(requested.length, before, 'nothing is requested any more');
  await takePictures(t, page, 'player-revoked');
});

import { mkdir, readFile } from 'node:fs/promises';
import { openBrowser } from '@lms/testing/browser';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Response } from 'playwright-core';
import t from 'tap';
import { gatewayUrl, register } from './system.ts';
import { createCourse, openPage, signIn, startApp, takePictures, workspace } from './web-app.ts';

const film = `${workspace}../../infra/local/assets/number-line.mp4`;

/** Compares the JSON responses of the API, errors included, with the OpenAPI document. */
async function createChecker() {
  const { paths, components } = JSON.parse(await readFile(`${workspace}../../gateway/openapi.json`, 'utf8'));
  const validator = new Ajv({ strict: false });
  addFormats.default(validator);
  const templates = Object.keys(paths).map((path) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const problems: string[] = [];
  const seen = new Set<string>();
  const check = async (response: Response) => {
    const url = new URL(response.url());
    if (url.origin !== gatewayUrl || !response.headers()['content-type']?.startsWith('application/json')) return;
    // A page that is left takes the bodies of its responses with it.
    const body: unknown = await response.json().catch(() => undefined);
    if (body === undefined) return;
    const method = response.request().method();
    const literal = templates.find(({ path }) => path === url.pathname);
    const path = (literal ?? templates.find(({ pattern }) => pattern.test(url.pathname)))?.path ?? '';
    const { $ref = '', ...described } = paths[path]?.[method.toLowerCase()]?.responses[response.status()] ?? {};
    const { content } = $ref ? components.responses[$ref.split('/').at(-1)] : described;
    const name = `${method} ${path} ${response.status()}`;
    seen.add(name);
    const validate = validator.compile({ components, ...content['application/json'].schema });
    if (!validate(body)) problems.push(`${name}: ${JSON.stringify(validate.errors)}`);
  };
  return { check, problems, seen };
}

t.test('people learn, review and upload with the web example', async (t) => {
  await mkdir('artifacts', { recursive: true });
  const [app, { subject, topic }, email] = await Promise.all([startApp(t), createCourse(), register('Web')]);
  const browser = await openBrowser(t);

  const checker = await createChecker();
  const checks: Promise<void>[] = [];
  browser.on('context', (context) => context.on('response', (response) => checks.push(checker.check(response))));

  const { page: learner, problems } = await openPage(t, browser, app);
  await learner.getByRole('link', { name: subject.name }).waitFor();
  await takePictures(t, learner, 'courses');
  await learner.getByRole('link', { name: subject.name }).click();
  await signIn(learner, email);
  await learner.getByRole('button', { name: 'Request enrollment' }).click();
  await learner.getByText('waiting for an administrator').waitFor();

  const { page: admin, problems: adminProblems } = await openPage(t, browser, `${app}/#/topics/${topic.id}`);
  await signIn(admin, 'admin@lms.test');
  await admin.evaluate(`
    const bar = () => document.querySelector('progress');
    window.seen = [];
    new MutationObserver(() => window.seen.push(bar()?.value)).observe(document.body, { subtree: true, childList: true, attributes: true });
  `);
  const fill = Buffer.alloc(3_000_000, 'a');
  await admin.locator('#file').setInputFiles({ name: 'exercises.txt', mimeType: 'text/plain', buffer: fill });
  await admin.getByRole('button', { name: 'Upload' }).click();
  await admin.getByText('exercises.txt is uploaded.').waitFor();
  t.equal(
    Math.max(...Object(await admin.evaluate('window.seen')).filter(Number.isFinite)),
    1,
    'the progress reached the end',
  );
  await admin.locator('#file').setInputFiles({ name: 'notes.flv', mimeType: 'video/x-flv', buffer: fill });
  await admin.getByRole('button', { name: 'Upload' }).click();
  await admin.getByText('Please convert it to mp4').waitFor();
  await admin.locator('#file').setInputFiles(film);
  await admin.getByRole('button', { name: 'Upload' }).click();
  await admin.getByText('number-line.mp4 is uploaded.').waitFor();
  await admin
    .locator('#file')
    .setInputFiles({ name: 'script.txt', mimeType: 'text/plain', buffer: Buffer.alloc(9_000_000, 'a') });
  await admin.getByRole('button', { name: 'Upload' }).click();
  await admin.getByText('script.txt is uploaded.').waitFor();
  const html = Buffer.from('<script>document.title = "of the app"</script>');
  await admin.locator('#file').setInputFiles({ name: 'page.html', mimeType: 'text/html', buffer: html });
  await admin.getByRole('button', { name: 'Upload' }).click();
  await admin.getByText('page.html is uploaded.').waitFor();
  await takePictures(t, admin, 'upload');
  await admin.getByRole('link', { name: 'Enrollment requests' }).click();
  const request = admin.locator('li', { hasText: email });
  await request.waitFor();
  await takePictures(t, admin, 'review');
  await request.getByRole('button', { name: 'Approve' }).click();
  await request.getByText('approved').waitFor();

  await learner.goto(`${app}/#/topics/${topic.id}`);
  await learner.getByText('One, two, three.').waitFor();
  const video = 'document.querySelector("video")';
  const positionSaved = learner.waitForResponse((response) => response.url().endsWith('/position'));
  await learner.waitForFunction(`${video}.readyState > 0`);
  await learner.evaluate(`${video}.currentTime = 1; ${video}.play().then(() => ${video}.pause())`);
  t.equal((await positionSaved).status(), 200);
  await learner.getByRole('button', { name: 'Mark as completed' }).click();
  await learner.getByRole('button', { name: 'Completed ✓' }).waitFor();
  await learner.getByLabel('A note').fill('There is no greatest number.');
  await learner.getByRole('button', { name: 'Save note' }).click();
  await learner.getByRole('listitem').filter({ hasText: 'There is no greatest number.' }).waitFor();
  await takePictures(t, learner, 'topic');

  const open = (name: string) => learner.getByRole('button', { name: `Open ${name}` }).click();
  const [shown] = await Promise.all([learner.waitForEvent('popup'), open('exercises.txt')]);
  await shown.close();
  const [saved] = await Promise.all([learner.waitForEvent('download'), open('page.html')]);
  t.equal(saved.suggestedFilename(), 'page.html', 'HTML is saved, not opened');

  await learner.reload();
  await learner.getByRole('button', { name: 'Sign in' }).click();
  await learner.getByText('There is no greatest number.').waitFor();
  await learner.waitForFunction(`${video}?.currentTime >= 1`);
  await Promise.all(checks);
  t.strictSame(checker.problems, [], 'the responses match the OpenAPI document');
  t.ok(checker.seen.size > 15, [...checker.seen].join(', '));
  t.strictSame(problems, []);
  // Chromium logs the refused upload.
  t.match(adminProblems, [/400 \(Bad Request\)/]);
  t.equal(adminProblems.length, 1);
});

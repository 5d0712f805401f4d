import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '@lms/testing/browser';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { build } from 'esbuild';
import type { Browser, Page, Response } from 'playwright-core';
import t, { type Test } from 'tap';
import { createClient, unwrap } from '../src/index.ts';
import { gatewayUrl, providerUrl, register, tokenOf } from './system.ts';

const workspace = fileURLToPath(new URL('..', import.meta.url));
const film = `${workspace}../../infra/local/assets/number-line.mp4`;
const [wide, narrow] = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

/** Bundles the example and serves it from an origin of its own, as a developer does. */
async function startApp(t: Test): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${workspace}examples/web/app.ts`],
    bundle: true,
    format: 'esm',
    write: false,
    alias: { '@lms/client/resumable': `${workspace}src/resumable.ts`, '@lms/client': `${workspace}src/index.ts` },
    // The dependencies of the example are those of the client here.
    nodePaths: [`${workspace}node_modules`],
  });
  const page = await readFile(`${workspace}examples/web/index.html`, 'utf8');
  const style = await readFile(`${workspace}examples/web/style.css`);
  const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://app');
    const respond = (type: string, body: string | Uint8Array) =>
      response.writeHead(200, { 'content-type': type }).end(body);
    if (pathname === '/style.css') return respond(types.css, style);
    if (pathname === '/built/app.js') return respond(types.js, outputFiles[0]?.contents ?? '');
    const html = page.replace('http://127.0.0.1:8080', gatewayUrl).replace('http://127.0.0.1:8090', providerUrl);
    return respond(types.html, html);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
}

/** A level with a subject and a topic, without a video. */
async function createCourse() {
  const token = await tokenOf('admin@lms.test');
  const client = createClient({ baseUrl: gatewayUrl, token: () => token });
  const create = { name: `Web example ${process.pid} ${Date.now().toString(36)}`, description: 'An example' };
  const level = await unwrap(client.POST('/api/admin/education/levels', { body: create }));
  const grade = await unwrap(
    client.POST('/api/admin/education/grades', {
      body: { name: 'Grade 5', level: 'primary', educationLevelId: level.id },
    }),
  );
  const subject = await unwrap(
    client.POST('/api/admin/education/subjects', {
      body: { name: `Mathematics ${level.id.slice(0, 5)}`, description: 'Numbers', gradeId: grade.id },
    }),
  );
  const body = { name: 'Whole numbers', description: 'Counting', content: 'One, two, three.', subjectId: subject.id };
  return { subject, topic: await unwrap(client.POST('/api/admin/education/topics', { body })) };
}

async function openPage(t: Test, browser: Browser, url: string) {
  const context = await browser.newContext({ viewport: wide });
  // Playing a video takes long on a busy machine.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(url);
  t.teardown(() => context.close());
  return { page, problems };
}

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

async function signIn(page: Page, email: string) {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel(/e-?mail/i).fill(email);
  await page.getByLabel(/password/i).fill('password');
  await page.getByRole('button').first().click();
  await page.getByText(email).first().waitFor();
}

async function takePictures(t: Test, page: Page, name: string) {
  for (const viewport of [wide, narrow]) {
    await page.setViewportSize(viewport);
    await page.screenshot({ path: `artifacts/example-${name}-${viewport.width}.png`, fullPage: true });
    const { scrollWidth } = Object(await page.evaluate('({ scrollWidth: document.documentElement.scrollWidth })'));
    t.equal(scrollWidth, viewport.width, `${name} fits ${viewport.width} px`);
  }
  await page.setViewportSize(wide);
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

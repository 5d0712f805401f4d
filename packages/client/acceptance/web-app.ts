import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { Test } from 'tap';
import { createClient, unwrap } from '../src/index.ts';
import { gatewayUrl, providerUrl, tokenOf } from './system.ts';

export const workspace = fileURLToPath(new URL('..', import.meta.url));
const [wide, narrow] = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

/** Bundles the example and serves it from an origin of its own, as a developer does. */
export async function startApp(t: Test): Promise<string> {
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
export async function createCourse() {
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
  return { client, subject, topic: await unwrap(client.POST('/api/admin/education/topics', { body })) };
}

export async function openPage(t: Test, browser: Browser, url: string) {
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

export async function signIn(page: Page, email: string) {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel(/e-?mail/i).fill(email);
  await page.getByLabel(/password/i).fill('password');
  await page.getByRole('button').first().click();
  await page.getByText(email).first().waitFor();
}

export async function takePictures(t: Test, page: Page, name: string) {
  for (const viewport of [wide, narrow]) {
    await page.setViewportSize(viewport);
    await page.screenshot({ path: `artifacts/example-${name}-${viewport.width}.png`, fullPage: true });
    const { scrollWidth } = Object(await page.evaluate('({ scrollWidth: document.documentElement.scrollWidth })'));
    t.equal(scrollWidth, viewport.width, `${name} fits ${viewport.width} px`);
  }
  await page.setViewportSize(wide);
}

import { readdir } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { runMain } from './run-main.ts';

const job = '/api/admin/education/imports/1';
const counts = { created: 1, updated: 0, unchanged: 0, deleted: 0, media: 0 };
const running = { id: '1', status: 'importing', percent: 50, finishedAt: null, issues: [], issueCount: 0, counts };
const completed = { ...running, status: 'completed', percent: 100, finishedAt: new Date().toISOString() };
const asTerminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stderr.isTTY=true' };

type Respond = (response: ServerResponse) => unknown;

const json =
  (data: object, status = 200): Respond =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));

const failure = (status: number): Respond => json({}, status);

/** A gateway with one response after the other for each route; the last one is repeated. */
async function startGateway(t: Test, routes: Record<string, Respond[]>): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    const responses = routes[`${request.method} ${request.url?.replace(/\?.*/, '')}`] ?? [failure(500)];
    const [respond] = responses.length > 1 ? responses.splice(0, 1) : responses;
    respond?.(response);
  }).listen(0, '127.0.0.1');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

const lms = (t: Test, folder: string, url: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  runMain(t, folder, args, { LMS_URL: url, LMS_TOKEN: 'token', ...env });

async function startImport(t: Test, responses: Respond[], env: NodeJS.ProcessEnv = {}) {
  const url = await startGateway(t, {
    'POST /api/admin/education/imports': [json(running, 202)],
    [`GET ${job}`]: responses,
  });
  return lms(t, t.testdir({ 'course.json': '{}' }), url, ['import', 'course.json'], env);
}

t.test('an import is followed to its end while requests fail without a response or with a 5xx', async (t) => {
  const lost: Respond = (response) => response.destroy();
  const program = await startImport(t, [json(running), lost, failure(502), json(completed)]);
  t.equal(await program.ended, 0);
  t.match(program.output(), `Started ${job}\n1 created`);
  t.notMatch(program.output(), 'continues');
});

t.test('if an import cannot be followed, its address is named', async (t) => {
  const program = await startImport(t, [json(running), failure(403)]);
  t.equal(await program.ended, 1);
  t.match(program.output(), `The job continues on the server: GET ${job}\n`);
});

t.test('Ctrl-C restores the terminal and says that the import continues', async (t) => {
  const program = await startImport(t, [json(running)], asTerminal);
  await program.printed('importing [');
  program.kill('SIGINT');
  t.equal(await program.ended, 130);
  const [before, after = ''] = program.output().split(`Started ${job}`);
  for (const [text, mode] of [before, after].entries())
    t.match(mode, /\[\?25l.*\[\?7l.*\[\?25h.*\[\?7h/s, `bar ${text}`);
  t.match(after, `The job continues on the server: GET ${job}\n`);
});

t.test('a download that is interrupted leaves no file', async (t) => {
  const url = await startGateway(t, { 'GET /api/admin/enrollment.csv': [(response) => response.write('email\n')] });
  const folder = t.testdir();
  const program = lms(t, folder, url, ['roster', 'export', '-o', 'all.csv']);
  await waitFor(async () => (await readdir(folder)).includes('all.csv.part'));
  program.kill('SIGTERM');
  t.equal(await program.ended, 143);
  t.same(await readdir(folder), []);
});

t.test('an address that cannot be reached is named with the reason', async (t) => {
  // Nothing listens on this port, and fetch does not block it.
  const url = 'http://127.0.0.1:2';
  const program = lms(t, t.testdir(), url, ['roster', 'export']);
  t.equal(await program.ended, 1);
  t.equal(program.output(), `${url}/api/admin/enrollment.csv cannot be reached: connect ECONNREFUSED 127.0.0.1:2\n`);
});

t.test('without the address or the token, the usage is printed', async (t) => {
  for (const missing of ['LMS_URL', 'LMS_TOKEN']) {
    const program = lms(t, t.testdir(), 'http://127.0.0.1:2', ['roster', 'export'], { [missing]: undefined });
    t.equal(await program.ended, 2);
    t.match(program.output(), /--url or LMS_URL.* LMS_TOKEN .*required.*Usage: lms/s);
  }
});

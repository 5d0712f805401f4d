import { createServer } from 'node:net';
import t from 'tap';
import { runProgram } from './programs/run-program.ts';

const start = 'infra/local/src/start.ts';

t.test('all invalid settings are reported at once, and nothing is started', async (t) => {
  const program = runProgram(t, start, [], {
    DATA_DIR: t.testdir(),
    GATEWAY_PORT: 'eighty',
    POSTGRES_URL: 'mysql://localhost',
    RATE_LIMIT_GENERAL: '0',
    WEBHOOK_SECRETS: 'x'.repeat(65),
    WEBHOOK_ACCEPT_UNTIMESTAMPED: 'yes',
    CONTENT_VISIBILITY: 'secret',
    TRUSTED_PROXIES: '10.0.0.0/99',
    CORS_ORIGINS: '*',
    S3_ENDPOINT: 'http://127.0.0.1:9000',
    UNKNOWN_SETTING: 'whatever',
  });
  t.equal(await program.ended, 78);
  const named = [
    'GATEWAY_PORT',
    'POSTGRES_URL',
    'RATE_LIMIT_GENERAL',
    'WEBHOOK_SECRETS',
    'WEBHOOK_ACCEPT_UNTIMESTAMPED',
    'CONTENT_VISIBILITY',
    'TRUSTED_PROXIES',
    'CORS_ORIGINS',
    'S3_BUCKET',
  ];
  for (const name of named) t.match(program.output(), new RegExp(`^ +- ${name}:`, 'm'));
  t.notMatch(program.output(), 'UNKNOWN_SETTING');
});

t.test('a data directory that cannot be written is reported without a stack trace', async (t) => {
  const directory = `${t.testdir({ file: '' })}/file/data`;
  const program = runProgram(t, start, [], { DATA_DIR: directory });
  t.equal(await program.ended, 1);
  t.match(program.output(), `DATA_DIR: ${directory} cannot be written: ENOTDIR`);
  t.notMatch(program.output(), / {4}at /);
});

t.test('a port that is in use is reported with its setting', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  for (const [setting, name] of [
    ['GATEWAY_PORT', 'gateway'],
    ['IDP_PORT', 'identity provider'],
  ] as const) {
    const free = { GATEWAY_PORT: '0', IDP_PORT: '0' };
    const taken = { [setting]: String(port), WEBHOOK_SECRETS: 'short' };
    const program = runProgram(t, start, [], { DATA_DIR: t.testdir(), ...free, ...taken });
    t.equal(await program.ended, 1);
    t.match(program.output(), `${name}: port ${port} is in use`);
    t.match(program.output(), /^warning +WEBHOOK_SECRETS: secret 1 .* only work in development/m);
  }
  server.close();
});

t.test('an operator command needs the name of a service, and the running system', async (t) => {
  const operator = 'infra/local/src/operator.ts';
  const unknown = runProgram(t, operator, ['nothing'], { DATA_DIR: t.testdir() });
  t.equal(await unknown.ended, 1);
  t.match(unknown.output(), /^Usage: npm run operator -- identity\|/m);
  const stopped = runProgram(t, operator, ['identity', 'dead-letters', 'list'], { DATA_DIR: t.testdir() });
  t.equal(await stopped.ended, 1);
  t.match(stopped.output(), /^The system is not running .* npm start$/m);
});

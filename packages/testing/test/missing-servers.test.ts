import { runScript } from '@lms/testing/run-script';
import t from 'tap';

const script = new URL('fixtures/needs-servers.js', import.meta.url);

t.test('a test without a database fails at once and explains how to run it', async (t) => {
  const startedAt = Date.now();
  const { code, err } = await runScript(script, { TAP_TIMEOUT: '60' });
  t.not(code, 0);
  t.match(err, 'TEST_POSTGRES_URL is not set; run the file with: npm test -- <file>');
  t.ok(Date.now() - startedAt < 30_000, 'before its timeout');
});

t.test('a test whose server is not installed names it', async (t) => {
  const { code, out } = await runScript(script, { PATH: '/nowhere', TEST_POSTGRES_URL: 'postgres://127.0.0.1:9' });
  t.not(code, 0);
  t.match(out, /nats-server cannot be started \(spawn nats-server ENOENT\); npm test installs what is missing/);
});

import t from 'tap';
import { createAdminServer, readiness } from '../src/admin-server.ts';
import { recordingLogger } from './build-server.ts';

t.test('readiness reports every check, with a timeout of two seconds', async (t) => {
  const startedAt = Date.now();
  const outcome = await readiness({
    good: async () => 'anything',
    bad: async () => {
      throw new Error('refused');
    },
    thrown: () => {
      throw new Error('at once');
    },
    odd: () => Promise.reject('a string'),
    stuck: () => new Promise(() => undefined),
  });
  t.same(outcome, {
    ready: false,
    checks: { good: 'ok', bad: 'refused', thrown: 'at once', odd: 'a string', stuck: 'timed out' },
  });
  t.ok(Date.now() - startedAt < 15_000);
  t.same(await readiness({}), { ready: true, checks: {} });
});

t.test('a process is ready from start to drain, and always alive', async (t) => {
  const { logger } = recordingLogger();
  const admin = createAdminServer({ logger, checks: { store: async () => undefined } });
  t.teardown(() => admin.close());
  const statuses = async () => {
    const responses = ['/livez', '/startupz', '/readyz'].map(async (path) => (await admin.inject(path)).statusCode);
    return Promise.all(responses);
  };
  t.same(await statuses(), [200, 503, 503]);
  admin.start();
  t.same(await statuses(), [200, 200, 200]);
  admin.drain();
  t.same(await statuses(), [200, 200, 503]);
  t.match((await admin.inject('/readyz')).json(), { status: 'draining' });
});

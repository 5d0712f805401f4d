import t from 'tap';
import { createAdminServer, readiness } from '../src/admin-server.ts';
import { recordingLogger } from './build-server.ts';

t.test('readiness names every check, and waits two seconds for none of them longer', async (t) => {
  const startedAt = Date.now();
  const outcome = await readiness({
    good: async () => 'anything',
    bad: async () => {
      throw new Error('refused');
    },
    thrown: () => {
      throw new Error('at once');
    },
    odd: () => Promise.reject('a word'),
    stuck: () => new Promise(() => undefined),
  });
  t.same(outcome, {
    ready: false,
    checks: { good: 'ok', bad: 'refused', thrown: 'at once', odd: 'a word', stuck: 'no answer in time' },
  });
  t.ok(Date.now() - startedAt < 15_000);
  t.same(await readiness({}), { ready: true, checks: {} });
});

t.test('a process is ready from its start to its end, and alive all the time', async (t) => {
  const { logger } = recordingLogger();
  const admin = createAdminServer({ logger, checks: { store: async () => undefined } });
  t.teardown(() => admin.close());
  const statuses = async () => {
    const answers = ['/livez', '/startupz', '/readyz'].map(async (path) => (await admin.inject(path)).statusCode);
    return Promise.all(answers);
  };
  t.same(await statuses(), [200, 503, 503]);
  admin.start();
  t.same(await statuses(), [200, 200, 200]);
  admin.drain();
  t.same(await statuses(), [200, 200, 503]);
  t.match((await admin.inject('/readyz')).json(), { status: 'draining' });
});

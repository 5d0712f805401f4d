import { startNats } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import t from 'tap';
import { connectBus } from '../src/bus.ts';

const logger = pino({ level: 'silent' });

t.test('a bus that never connected can be closed', async (t) => {
  const bus = connectBus('nats://127.0.0.1:1', 'test', logger);
  await t.rejects(bus.check(), { message: 'not connected' });
  await bus.close();
  await t.rejects(bus.connected(), { name: 'AbortError' });
});

t.test('a bus connects to a server that starts later', async (t) => {
  const nats = await startNats(t);
  await nats.kill();
  const bus = connectBus(nats.url, 'test', logger);
  t.teardown(bus.close);
  await t.rejects(bus.check());
  await nats.restart();
  await waitFor(
    () =>
      bus.check().then(
        () => true,
        () => false,
      ),
    { until: 'the connection to NATS' },
  );
});

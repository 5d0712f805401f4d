import { freePort, startNats } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import t from 'tap';
import { connectBus } from '../src/bus.ts';

const logger = pino({ level: 'silent' });

t.test('a line that was never opened can be given up', async (t) => {
  const bus = connectBus(`nats://127.0.0.1:${await freePort()}`, 'test', logger);
  await t.rejects(bus.check(), { message: 'not connected' });
  await bus.close();
  await t.rejects(bus.connected(), { name: 'AbortError' });
});

t.test('a server that comes late is found', async (t) => {
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
    { until: 'the line to NATS' },
  );
});

import { createConnection, createServer } from 'node:net';
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

t.test(
  'a bus connects to a server that starts later, and logs once that it is unreachable, connected and lost',
  async (t) => {
    const nats = await startNats(t);
    await nats.kill();
    const lines: string[] = [];
    const messages = () => lines.map((line) => JSON.parse(line).msg);
    const bus = connectBus(nats.url, 'test', pino({ level: 'info' }, { write: (line) => lines.push(line) }));
    t.teardown(bus.close);
    await t.rejects(bus.check());
    let attempts = 0;
    const port = createServer((socket) => {
      attempts += 1;
      socket.destroy();
    }).listen(Number(new URL(nats.url).port), '127.0.0.1');
    await waitFor(() => attempts === 3, { until: 'three attempts' });
    await new Promise((resolve) => port.close(resolve));
    t.same(new Set(messages()), new Set(['NATS is unreachable and will be tried again']));
    const causes = lines.map((line) => JSON.parse(line).err.code);
    t.same(causes, [...new Set(causes)], 'each cause once');
    lines.length = 0;
    await nats.restart();
    const untilConnected = () =>
      waitFor(
        () =>
          bus.check().then(
            () => true,
            () => false,
          ),
        { until: 'the connection to NATS' },
      );
    await untilConnected();
    t.same(messages(), ['NATS connected']);
    await nats.kill();
    await waitFor(() => messages().at(-1) === 'NATS connection lost', { until: 'the line' });
    await nats.restart();
    await untilConnected();
    await waitFor(() => messages().at(-1) === 'NATS connected', { until: 'the line' });
    t.same(messages(), ['NATS connected', 'NATS connection lost', 'NATS connected']);
  },
);

t.test('a bus with a tls:// URL sends nothing to a server without TLS', async (t) => {
  const nats = await startNats(t);
  const received: string[] = [];
  const proxy = createServer((client) => {
    client.on('data', (bytes) => received.push(String(bytes))).on('error', () => undefined);
    client.pipe(createConnection(nats.port, '127.0.0.1').on('error', () => undefined)).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.teardown(() => proxy.close());
  const lines: string[] = [];
  const url = `tls://lms:secret@127.0.0.1:${Object(proxy.address()).port}`;
  const bus = connectBus(url, 'test', pino({}, { write: (line) => lines.push(line) }));
  t.teardown(bus.close);
  await waitFor(() => lines.length > 0, { until: 'the line' });
  t.match(JSON.parse(lines[0] ?? ''), { msg: 'NATS is unreachable and will be tried again', err: { message: /tls/ } });
  t.same(received, []);
});

t.test('a bus logs why it cannot connect, also if the error has no code', async (t) => {
  const lines: string[] = [];
  const bus = connectBus('nats://lms:100%@127.0.0.1:1', 'test', pino({}, { write: (line) => lines.push(line) }));
  t.teardown(bus.close);
  await waitFor(() => lines.length > 0, { until: 'the line' });
  t.match(JSON.parse(lines[0] ?? ''), { err: { message: 'URI malformed' } });
});

import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { listen } from '@lms/testing/listen';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { type Patience, watchReader } from '../src/proxy/watch-reader.ts';

const piece = Buffer.alloc(64 * 1_024);

/** An answer that has filled every buffer on the way to a reader who has not begun to read. */
async function fillUp(t: Test, patience: Patience) {
  let answer: ServerResponse | undefined;
  let written = 0;
  const server = createServer((_incoming, outgoing) => {
    answer = outgoing;
    const pump = () => {
      written += piece.length;
      if (outgoing.write(piece)) setImmediate(pump);
      else outgoing.once('drain', pump);
    };
    pump();
  });
  const url = await listen(t, server);
  const reader = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  t.teardown(() => reader.destroy());
  reader.pause().write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  const outgoing = await waitFor(() => answer);
  for (let before = 0; before !== written; ) {
    before = written;
    await pause(200);
  }
  const unwatch = watchReader(outgoing, patience);
  t.teardown(unwatch);
  return { outgoing, reader, unwatch };
}

t.test('a reader who takes no byte for a while loses the answer', async (t) => {
  const { outgoing } = await fillUp(t, { firstLookMs: 50, stalledMs: 200, blindMs: 60_000 });
  await waitFor(() => outgoing.destroyed, { until: 'the answer to be broken off' });
});

t.test('a slow reader keeps it', async (t) => {
  const { outgoing, reader } = await fillUp(t, { firstLookMs: 50, stalledMs: 2_500, blindMs: 60_000 });
  // Two looks long. The kernel asks for more a few hundred kilobytes at a time.
  const [bytesPerMs, forMs] = [220, 5_100];
  const since = performance.now();
  for (let elapsedMs = 0, taken = 0; elapsedMs < forMs; elapsedMs = performance.now() - since) {
    while (taken < elapsedMs * bytesPerMs) {
      const got = reader.read();
      if (!got) break;
      taken += got.length;
    }
    await pause(20);
  }
  t.notOk(outgoing.destroyed);
});

t.test('nobody is broken off once the watch has ended', async (t) => {
  const { outgoing, unwatch } = await fillUp(t, { firstLookMs: 20, stalledMs: 20, blindMs: 60_000 });
  unwatch();
  await pause(200);
  t.notOk(outgoing.destroyed);
});

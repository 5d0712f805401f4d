import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { subscribe } from '../src/subscribe.ts';
import { changeThing, setup } from './setup.ts';
import { thingSubjects } from './things.ts';

t.test('a subscription receives events as they are published', async (t) => {
  const { database, openBus } = await setup(t);
  const { bus, relay } = openBus();
  relay(database);
  const events: unknown[] = [];
  await subscribe({ bus, subject: thingSubjects, onEvent: (event) => events.push(event), onGap: () => undefined });
  await changeThing(database, 7, 'a');
  await waitFor(() => events.length > 0);
  t.same(events, [{ type: 'test.thing.changed', data: { id: 'a', n: 7, version: 1 } }]);
});

t.test('onGap is called when the subscription starts, disconnects and reconnects', async (t) => {
  const { nats, database, openBus } = await setup(t);
  const { bus, relay } = openBus();
  relay(database);
  let gaps = 0;
  const events: unknown[] = [];
  const options = {
    bus,
    subject: thingSubjects,
    onEvent: (event: unknown) => void events.push(event),
    onGap: () => {
      gaps += 1;
    },
  };
  await subscribe(options);
  t.equal(gaps, 1);
  await nats.kill();
  await waitFor(() => gaps >= 2, { until: 'onGap after the disconnect' });
  const gapsBefore = gaps;
  await nats.restart();
  await waitFor(() => gaps > gapsBefore, { until: 'onGap after the reconnect' });
  await changeThing(database, 8);
  await waitFor(() => events.length === 1, { until: 'an event after the reconnect' });
});

t.test('an unreadable event counts as a gap', async (t) => {
  const { openBus } = await setup(t);
  const { bus } = openBus();
  let gaps = 0;
  const events: unknown[] = [];
  await subscribe({ bus, subject: thingSubjects, onEvent: (event) => events.push(event), onGap: () => void gaps++ });
  const { connection } = await bus.connected();
  connection.publish('lms.test.thing.changed.v1', '{');
  connection.publish('lms.test.thing.changed.v1', '{"id":"a"}');
  await waitFor(() => events.length === 1);
  t.equal(gaps, 2);
});

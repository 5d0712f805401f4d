import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { subscribe } from '../src/subscribe.ts';
import { changeThing, setup, thingSubjects } from './setup.ts';

t.test('events are events as they are said', async (t) => {
  const { database, openLine } = await setup(t);
  const { bus, relay } = openLine();
  relay(database);
  const events: unknown[] = [];
  await subscribe({ bus, subject: thingSubjects, onEvent: (event) => events.push(event), onGap: () => undefined });
  await changeThing(database, 7, 'a');
  await waitFor(() => events.length > 0);
  t.same(events, [{ type: 'test.thing.changed', data: { id: 'a', n: 7, version: 1 } }]);
});

t.test('what was held before the line stood, or while it was lost, is to be forgotten', async (t) => {
  const { nats, database, openLine } = await setup(t);
  const { bus, relay } = openLine();
  relay(database);
  let missed = 0;
  const events: unknown[] = [];
  const options = {
    bus,
    subject: thingSubjects,
    onEvent: (event: unknown) => void events.push(event),
    onGap: () => {
      missed += 1;
    },
  };
  await subscribe(options);
  t.equal(missed, 1);
  await nats.kill();
  await waitFor(() => missed === 2, { until: 'the loss to be told' });
  await nats.restart();
  await waitFor(() => missed === 3, { until: 'the return to be told' });
  await changeThing(database, 8);
  await waitFor(() => events.length === 1, { until: 'an event after the return' });
});

t.test('what cannot be read counts as missed', async (t) => {
  const { openLine } = await setup(t);
  const { bus } = openLine();
  let missed = 0;
  const events: unknown[] = [];
  await subscribe({ bus, subject: thingSubjects, onEvent: (event) => events.push(event), onGap: () => void missed++ });
  const { connection } = await bus.connected();
  connection.publish('lms.test.thing.changed.v1', '{');
  connection.publish('lms.test.thing.changed.v1', '{"id":"a"}');
  await waitFor(() => events.length === 1);
  t.equal(missed, 2);
});

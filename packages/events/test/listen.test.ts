import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { listen } from '../src/listen.ts';
import { change, stage, thingFilter } from './stage.ts';

t.test('events are heard as they are said', async (t) => {
  const { database, openLine } = await stage(t);
  const { bus, relay } = openLine();
  relay(database);
  const heard: unknown[] = [];
  await listen({ bus, subject: thingFilter, heard: (event) => heard.push(event), missed: () => undefined });
  await change(database, 7, 'a');
  await waitFor(() => heard.length > 0);
  t.same(heard, [{ type: 'test.thing.changed', data: { id: 'a', n: 7, version: 1 } }]);
});

t.test('what was held before the line stood, or while it was lost, is to be forgotten', async (t) => {
  const { nats, database, openLine } = await stage(t);
  const { bus, relay } = openLine();
  relay(database);
  let missed = 0;
  const heard: unknown[] = [];
  const options = {
    bus,
    subject: thingFilter,
    heard: (event: unknown) => void heard.push(event),
    missed: () => {
      missed += 1;
    },
  };
  await listen(options);
  t.equal(missed, 1);
  await nats.kill();
  await waitFor(() => missed === 2, { until: 'the loss to be told' });
  await nats.restart();
  await waitFor(() => missed === 3, { until: 'the return to be told' });
  await change(database, 8);
  await waitFor(() => heard.length === 1, { until: 'an event after the return' });
});

t.test('what cannot be read counts as missed', async (t) => {
  const { openLine } = await stage(t);
  const { bus } = openLine();
  let missed = 0;
  const heard: unknown[] = [];
  await listen({ bus, subject: thingFilter, heard: (event) => heard.push(event), missed: () => void missed++ });
  const { connection } = await bus.connected();
  connection.publish('lms.test.thing.changed.v1', '{');
  connection.publish('lms.test.thing.changed.v1', '{"id":"a"}');
  await waitFor(() => heard.length === 1);
  t.equal(missed, 2);
});

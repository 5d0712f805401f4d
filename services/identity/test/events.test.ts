import { userEvents } from '@lms/contracts/events/identity';
import { connectBus } from '@lms/events/bus';
import { startRelay } from '@lms/events/relay';
import { subscribe } from '@lms/events/subscribe';
import { startNats } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import t from 'tap';
import { account, startIdentity } from './identity.ts';

const logger = pino({ level: 'silent' });

t.test('events appended while NATS is down are published in order when it returns', async (t) => {
  const nats = await startNats(t);
  const bus = connectBus(nats.url, 'identity-test', logger);
  const { database, signIn, as, webhook } = await startIdentity(t);
  const relay = startRelay(database, bus, 'identity', logger);
  t.teardown(async () => {
    await bus.close();
    await relay.ended;
  });
  const received: { type: string; data: unknown }[] = [];
  await subscribe({ bus, subject: userEvents, onEvent: (event) => received.push(event), onGap: () => undefined });
  await nats.kill();

  const boss = await signIn('boss');
  t.equal((await webhook('user.created', account('idp_1'))).status, 200);
  const { body } = await as(boss).get('/api/users?search=idp_1');
  const { id } = body.data[0];
  t.equal((await as(boss).post(`/api/users/${id}/roles`, { role: 'MENTOR' })).status, 201);
  t.equal((await as(boss).put(`/api/users/${id}`, { plan: 'PRO' })).status, 200);

  await nats.restart();
  await waitFor(() => received.length >= 4, { until: 'four events' });
  t.match(received, [
    { type: 'identity.user.created', data: { id: boss.userId, version: 1 } },
    { type: 'identity.user.created', data: { id, version: 1, roles: ['LEARNER'] } },
    { type: 'identity.user.role-changed', data: { id, version: 2, roles: ['LEARNER', 'MENTOR'] } },
    {
      type: 'identity.user.updated',
      data: { id, version: 3, plan: 'PRO', changes: { plan: { from: 'FREE', to: 'PRO' } } },
    },
  ]);
});

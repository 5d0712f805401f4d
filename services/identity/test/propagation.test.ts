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

/** Far more than the delay between a change and its event, which is some milliseconds, even on a busy machine. */
const maxDelayMs = 10_000;

t.test('suspending, demoting or deleting a user applies to every later request under load', async (t) => {
  const nats = await startNats(t);
  const bus = connectBus(nats.url, 'identity-test', logger);
  let notifyRelay: () => void = () => undefined;
  const identity = await startIdentity(t, { notifyRelay: () => notifyRelay() });
  const relay = startRelay(identity.database, bus, 'identity', logger);
  notifyRelay = relay.notify;
  t.teardown(async () => {
    await bus.close();
    await relay.ended;
  });
  const received: { type: string; at: number; data: unknown }[] = [];
  await subscribe({
    bus,
    subject: userEvents,
    onEvent: (event) => received.push({ ...event, at: performance.now() }),
    onGap: () => undefined,
  });

  const boss = await identity.signIn('boss');
  await identity.webhook('user.created', account('idp_ann'));
  const claims = { identityProviderId: 'idp_ann' };
  const { userId } = (await identity.resolve(claims)).body.data;
  await identity.as(boss).post(`/api/users/${userId}/roles`, { role: 'MENTOR' });
  await waitFor(() => received.length >= 3, { until: 'the first events' });

  const resolved: { at: number; status: string; roles: string[] }[] = [];
  let streaming = true;
  const stream = Promise.all(
    Array.from({ length: 3 }, async () => {
      while (streaming) {
        const at = performance.now();
        const { body } = await identity.resolve(claims);
        resolved.push({ at, status: body.data.status, roles: body.data.roles });
      }
    }),
  );

  const changes = [
    () => identity.as(boss).delete(`/api/users/${userId}/roles`, { role: 'MENTOR' }),
    () => identity.as(boss).put(`/api/users/${userId}`, { status: 'SUSPENDED' }),
    () => identity.as(boss).put(`/api/users/${userId}`, { status: 'ACTIVE' }),
    () => identity.webhook('user.deleted', { id: 'idp_ann' }),
  ];
  const expected = [
    { status: 'ACTIVE', roles: ['LEARNER'] },
    { status: 'SUSPENDED', roles: ['LEARNER'] },
    { status: 'ACTIVE', roles: ['LEARNER'] },
    { status: 'INACTIVE', roles: [] },
  ];
  for (const [index, change] of changes.entries()) {
    const before = received.length;
    t.equal((await change()).status, 200);
    const changedAt = performance.now();
    const event = await waitFor(() => received[before], { until: 'the event of the change' });
    t.match(event.data, { id: userId, ...expected[index] });
    t.ok(
      event.at - changedAt < maxDelayMs,
      `published within ${maxDelayMs} ms, here ${Math.round(event.at - changedAt)}`,
    );
    const later = () => resolved.filter(({ at }) => at > changedAt);
    await waitFor(() => later().length >= 5, { until: 'requests after the change' });
    for (const { status, roles } of later()) t.same({ status, roles }, expected[index]);
  }
  streaming = false;
  await stream;
});

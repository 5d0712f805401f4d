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

/** How long after a change whoever caches principals hears of it; what the gateway may add is its own business. */
const boundMs = 500;

t.test('who is suspended, demoted or deleted while requests stream in is so for every request after it', async (t) => {
  const nats = await startNats(t);
  const bus = connectBus(nats.url, 'identity-test', logger);
  let nudge: () => void = () => undefined;
  const identity = await startIdentity(t, { notifyRelay: () => nudge() });
  const relay = startRelay(identity.database, bus, 'identity', logger);
  nudge = relay.notify;
  t.teardown(async () => {
    await bus.close();
    await relay.ended;
  });
  const heard: { type: string; at: number; data: unknown }[] = [];
  await subscribe({
    bus,
    subject: userEvents,
    onEvent: (event) => heard.push({ ...event, at: performance.now() }),
    onGap: () => undefined,
  });

  const boss = await identity.signIn('boss');
  await identity.webhook('user.created', account('idp_ann'));
  const claims = { identityProviderId: 'idp_ann' };
  const { userId } = (await identity.resolve(claims)).body.data;
  await identity.as(boss).post(`/api/users/${userId}/roles`, { role: 'MENTOR' });
  await waitFor(() => heard.length >= 3, { until: 'the beginnings to be told' });

  const answers: { at: number; status: string; roles: string[] }[] = [];
  let streaming = true;
  const stream = Promise.all(
    Array.from({ length: 3 }, async () => {
      while (streaming) {
        const at = performance.now();
        const { body } = await identity.resolve(claims);
        answers.push({ at, status: body.data.status, roles: body.data.roles });
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
    const before = heard.length;
    t.equal((await change()).status, 200);
    const inForceAt = performance.now();
    const told = await waitFor(() => heard[before], { until: 'the change to be told' });
    t.match(told.data, { id: userId, ...expected[index] });
    t.ok(told.at - inForceAt < boundMs, `told within ${boundMs} ms, ${Math.round(told.at - inForceAt)} here`);
    const later = () => answers.filter(({ at }) => at > inForceAt);
    await waitFor(() => later().length >= 5, { until: 'requests after the change' });
    for (const { status, roles } of later()) t.same({ status, roles }, expected[index]);
  }
  streaming = false;
  await stream;
});

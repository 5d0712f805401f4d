import { erasureLedger } from '@lms/contracts/events/identity';
import { connectBus } from '@lms/events/bus';
import { openLedger } from '@lms/events/ledger';
import { startNats } from '@lms/testing/servers';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { applyErasures } from '../src/apply-erasures.ts';
import { commands } from '../src/operator-commands.ts';
import { account, startIdentity } from './identity.ts';

async function startLedger(t: Test) {
  const nats = await startNats(t);
  const bus = connectBus(nats.url, 'test', pino({ level: 'silent' }));
  t.teardown(() => bus.close());
  return openLedger(bus, erasureLedger);
}

t.test('users who were anonymized before the database was restored are anonymized again', async (t) => {
  const [ledger, { signIn, as, database, events }] = await Promise.all([startLedger(t), startIdentity(t)]);
  const [boss, ann, bob] = [await signIn('boss'), await signIn('ann'), await signIn('bob')];
  await as(boss).post(`/api/users/${ann.userId}/anonymize`);
  t.same(await applyErasures(database.db, ledger), []);
  t.same(await ledger.keys(), [ann.userId]);

  // As in a backup from before: bob was erased after it, and a user who does not exist in it.
  for (const id of [bob.userId, 'unknown']) await ledger.add(id);
  t.same(await applyErasures(database.db, ledger), [bob.userId]);
  t.match((await as(boss).get(`/api/users/${bob.userId}`)).body.data, { identityProviderId: null, status: 'INACTIVE' });
  t.match((await events()).at(-1), { type: 'identity.user.deleted', aggregateId: bob.userId });
  t.same(await applyErasures(database.db, ledger), [], 'once');
});

t.test('an erased user who is the only admin in the restored database is anonymized all the same', async (t) => {
  const [ledger, { signIn, database }] = await Promise.all([startLedger(t), startIdentity(t)]);
  const boss = await signIn('boss');
  await ledger.add(boss.userId);
  t.same(await applyErasures(database.db, ledger), [boss.userId]);
});

t.test('operators can repeat erasures', async (t) => {
  const { signIn, as, database, events } = await startIdentity(t);
  const [boss, ann, bob] = [await signIn('boss'), await signIn('ann'), await signIn('bob')];
  await as(boss).post(`/api/users/${ann.userId}/anonymize`);
  const run = (usage: string, ...values: string[]) =>
    commands.find((command) => command.usage === usage)?.run({ database, settings: {} }, ...values);
  t.equal(await run('erasures list'), ann.userId);
  await run('erasures apply <userId>', bob.userId);
  t.match((await as(boss).get(`/api/users/${bob.userId}`)).body.data, { identityProviderId: null });
  const before = (await events()).length;
  t.match(await run('erasures apply-all'), /^2 users/);
  t.match((await events()).slice(before), [{ type: 'identity.user.deleted' }, { type: 'identity.user.deleted' }]);
});

t.test("another account's events and responses do not keep the e-mail of an anonymized user", async (t) => {
  const { signIn, resolve, webhook, as, send, database } = await startIdentity(t);
  const boss = await signIn('boss');
  // A hint by another client, which the owner of the e-mail displaces.
  const payload = { userId: 'idp_other', email: 'ann@lms.test', firstName: 'Ann' };
  await send('POST', '/api/auth/sync', { headers: { 'idempotency-key': 'hint' }, payload });
  const ann = (await resolve({ identityProviderId: 'idp_ann', email: 'ann@lms.test' })).body.data;
  // Had the next e-mail of ann before.
  await signIn('bea');
  await webhook(
    'user.updated',
    account('idp_bea', { updated_at: 2_000, email_addresses: [{ email_address: 'b2@lms.test' }] }),
  );
  await webhook(
    'user.updated',
    account('idp_ann', { updated_at: 3_000, email_addresses: [{ email_address: 'bea@lms.test' }] }),
  );
  t.equal((await as(boss).post(`/api/users/${ann.userId}/anonymize`)).status, 200);
  const rows = await Promise.all([database.sql`select * from outbox`, database.sql`select * from idempotency_keys`]);
  t.notMatch(JSON.stringify(rows), /(ann|bea)@lms\.test/);
});

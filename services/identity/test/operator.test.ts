import { createId } from '@lms/database/columns';
import type { Database } from '@lms/database/connect';
import { openTransaction } from '@lms/database/open-transaction';
import { deadLetters } from '@lms/events/tables';
import { findCommand } from '@lms/service/operator/command';
import { untilLocked } from '@lms/testing/database';
import { runScript } from '@lms/testing/run-script';
import t from 'tap';
import { commands } from '../src/operator-commands.ts';
import { updateProfile } from '../src/users/update-profile.ts';
import { startIdentity } from './identity.ts';

const operator = new URL('../dist/operator.js', import.meta.url);

const run = async (database: Database, ...words: string[]) =>
  (await findCommand(commands, words)?.({ database, settings: {} })) ?? 'unknown command';

t.test('an operator makes the first admin, and the audit trail records it', async (t) => {
  const { database, signIn, as, anonymous } = await startIdentity(t, { adminEmails: new Set() });
  const ann = await signIn('ann');
  await anonymous.post('/api/auth/sync', { userId: 'idp_eve', email: 'eve@lms.test' });
  t.match(await runScript(operator, { DATABASE_URL: database.url }, 'grant-admin', 'ANN@lms.test'), {
    code: 0,
    out: /is an ADMIN now/,
    err: '',
  });
  t.match(await run(database, 'grant-admin', 'ann@lms.test'), /is already an ADMIN/);
  const boss = { ...ann, roles: ['ADMIN' as const] };
  t.same((await as(boss).get(`/api/users/${ann.userId}`)).body.data.roles, ['LEARNER', 'ADMIN']);
  t.match((await as(boss).get('/api/admin/audit')).body.data, [{ actorId: 'operator', action: 'user.role-changed' }]);
  for (const email of ['eve@lms.test', 'unknown@lms.test'])
    await t.rejects(run(database, 'grant-admin', email), /no user with the verified e-mail/, email);
});

t.test('dead letters are listed and replayed', async (t) => {
  const { database, as, signIn } = await startIdentity(t);
  const boss = await signIn('boss');
  const levelId = createId();
  const letter = {
    consumer: 'identity-audit-content',
    eventId: createId(),
    subject: 'lms.content.level.created.v1',
    body: JSON.stringify({ id: levelId, version: 1 }),
    headers: { 'ce-type': 'content.level.created', 'ce-actorid': boss.userId, 'ce-time': new Date().toISOString() },
    error: 'Error: the disk was full\n    at somewhere',
    attempts: 8,
  };
  const [stored] = await database.db.insert(deadLetters).values(letter).returning();
  t.match(
    await run(database, 'dead-letters', 'list'),
    /lms\.content\.level\.created\.v1 {2}8 attempts {2}Error: the disk was full\n1 dead/,
  );
  await run(database, 'dead-letters', 'replay', stored?.id ?? '');
  t.match((await as(boss).get('/api/admin/audit')).body.data, [{ action: 'level.created', entityId: levelId }]);
  t.equal(await run(database, 'dead-letters', 'list'), '0 dead letters');
  await t.rejects(run(database, 'dead-letters', 'replay', 'nothing'), /Dead letter nothing not found/);
});

t.test('the state of a user, or the deletion, is published again', async (t) => {
  const { database, signIn, as, events } = await startIdentity(t);
  const [boss, ann] = [await signIn('boss'), await signIn('ann')];
  await run(database, 'republish', ann.userId);
  t.match((await events()).at(-1), {
    type: 'identity.user.updated',
    aggregateId: ann.userId,
    version: 2,
    actorId: null,
  });
  await as(boss).post(`/api/users/${ann.userId}/anonymize`);
  await run(database, 'republish', ann.userId);
  t.match((await events()).at(-1), { type: 'identity.user.deleted', version: 4 });
  await t.rejects(run(database, 'republish', createId()), /User not found/);
});

t.test('a change that is committed while a user is published again is the last event', async (t) => {
  const { database, signIn, events } = await startIdentity(t);
  const ann = await signIn('ann');
  const { tx, commit } = await openTransaction(database.db);
  await updateProfile(tx, ann.userId, { firstName: 'New' }, {});
  const republished = run(database, 'republish', ann.userId);
  await untilLocked(database);
  await commit();
  await republished;
  t.match((await events()).at(-1), { version: 3, data: { firstName: 'New' } });
});

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createId } from '@lms/database/columns';
import type { Db } from '@lms/database/connect';
import { deadLetters } from '@lms/events/tables';
import t from 'tap';
import { chooseCommand } from '../src/operator-commands.ts';
import { startIdentity } from './identity.ts';

const operator = fileURLToPath(new URL('../src/operator.ts', import.meta.url));

/** The command as an operator runs it: a process of its own. */
const launch = (url: string | undefined, ...args: string[]) =>
  new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    const node = ['--conditions=lms-source', '--import=tsx', operator, ...args];
    const env = { PATH: process.env.PATH, ...(url && { DATABASE_URL: url }) };
    execFile(process.execPath, node, { env }, (error, out, err) => resolve({ code: error?.code ?? 0, out, err }));
  });

const run = async (db: Db, ...args: string[]) => (await chooseCommand(args)?.(db)) ?? 'not understood';

t.test('an operator makes the first admin, whom the trail names', async (t) => {
  const { database, enter, as, anonymous } = await startIdentity(t, { adminEmails: new Set() });
  const ann = await enter('ann');
  await anonymous.post('/api/auth/sync', { userId: 'idp_eve', email: 'eve@lms.test' });
  t.match(await launch(database.url, 'grant-admin', 'ANN@lms.test'), { code: 0, out: /is an ADMIN now/, err: '' });
  t.match(await run(database.db, 'grant-admin', 'ann@lms.test'), /is an ADMIN already/);
  const boss = { ...ann, roles: ['ADMIN' as const] };
  t.same((await as(boss).get(`/api/users/${ann.userId}`)).body.data.roles, ['LEARNER', 'ADMIN']);
  t.match((await as(boss).get('/api/admin/audit')).body.data, [{ actorId: 'operator', action: 'user.role-changed' }]);
  for (const email of ['eve@lms.test', 'nobody@lms.test'])
    await t.rejects(run(database.db, 'grant-admin', email), /no user with the verified e-mail/, email);
});

t.test('dead letters are listed and dealt with again', async (t) => {
  const { database, as, enter } = await startIdentity(t);
  const boss = await enter('boss');
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
    await run(database.db, 'dead-letters', 'list'),
    /lms\.content\.level\.created\.v1 {2}8 attempts {2}Error: the disk was full\n1 dead/,
  );
  await run(database.db, 'dead-letters', 'replay', stored?.id ?? '');
  t.match((await as(boss).get('/api/admin/audit')).body.data, [{ action: 'level.created', entityId: levelId }]);
  t.equal(await run(database.db, 'dead-letters', 'list'), '0 dead letters');
  await t.rejects(run(database.db, 'dead-letters', 'replay', 'nothing'), /no dead letter nothing/);
});

t.test("a user's state is told again, a departed one's departure", async (t) => {
  const { database, enter, as, events } = await startIdentity(t);
  const [boss, ann] = [await enter('boss'), await enter('ann')];
  await run(database.db, 'republish', ann.userId);
  t.match((await events()).at(-1), {
    type: 'identity.user.updated',
    aggregateId: ann.userId,
    version: 2,
    actorId: null,
  });
  await as(boss).post(`/api/users/${ann.userId}/anonymize`);
  await run(database.db, 'republish', ann.userId);
  t.match((await events()).at(-1), { type: 'identity.user.deleted', version: 4 });
  await t.rejects(run(database.db, 'republish', createId()), /User not found/);
});

t.test('what is not understood is explained, and settings that are missing are named', async (t) => {
  for (const args of [[], ['grant-admin'], ['dead-letters'], ['dead-letters', 'replay'], ['dance', 'x'], ['--force']])
    t.equal(chooseCommand(args), undefined, args.join(' '));
  t.match(await launch('postgres://x/y', 'dance'), { code: 64, err: /usage: operator/ });
  t.match(await launch(undefined, 'dead-letters', 'list'), { code: 78, err: /DATABASE_URL: is required/ });
  t.match(await launch('postgres://127.0.0.1:1/x', 'dead-letters', 'list'), { code: 1, out: '' });
});

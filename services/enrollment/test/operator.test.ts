import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { userUpdated } from '@lms/contracts/events/identity';
import { createId } from '@lms/database/columns';
import { deadLetters } from '@lms/events/tables';
import t from 'tap';
import { chooseCommand } from '../src/operator-commands.ts';
import { stage } from './stage.ts';
import { userState } from './stage-events.ts';

const operator = fileURLToPath(new URL('../src/operator.ts', import.meta.url));

/** The command as an operator runs it: a process of its own. */
const launch = (environment: Record<string, string>, ...args: string[]) =>
  new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    const node = ['--conditions=lms-source', '--import=tsx', operator, ...args];
    const env = { PATH: process.env.PATH, ...environment };
    execFile(process.execPath, node, { env }, (error, out, err) => resolve({ code: error?.code ?? 0, out, err }));
  });

t.test('dead letters are listed and dealt with again', async (t) => {
  const { database } = await stage(t);
  const state = userState({ firstName: 'Late' });
  const [stored] = await database.db
    .insert(deadLetters)
    .values({
      consumer: 'enrollment-identity-users',
      eventId: createId(),
      subject: userUpdated.subject,
      body: JSON.stringify({ ...state, version: 3 }),
      headers: { 'ce-type': userUpdated.type },
      error: 'Error: the disk was full\n    at somewhere',
      attempts: 8,
    })
    .returning();
  const environment = { DATABASE_URL: database.url };
  const run = async (...words: string[]) => chooseCommand(words)?.(database);
  const listed = await launch(environment, 'dead-letters', 'list');
  t.match(listed, { code: 0, out: /8 attempts {2}Error: the disk was full\n1 dead letters\n$/, err: '' });
  t.match(await run('dead-letters', 'replay', stored?.id ?? ''), /was dealt with/);
  t.match(await database.sql`select first_name from people where id = ${state.id}`, [{ first_name: 'Late' }]);
  t.equal(await run('dead-letters', 'list'), '0 dead letters');
  await t.rejects(run('dead-letters', 'replay', 'nothing'), /no dead letter nothing/);
});

t.test('the events of an enrollment are told again', async (t) => {
  const { database, content, enroll } = await stage(t);
  const { enrollment } = await enroll(content.addSubject().id);
  await database.sql`update outbox set published_at = now()`;
  t.equal(await chooseCommand(['republish', enrollment.id])?.(database), '2 events will be told again');
  t.equal((await database.sql`select 1 from outbox where published_at is null`).length, 2);
});

t.test('words that stand for no command are answered with those that do', async (t) => {
  for (const words of [
    [],
    ['dance'],
    ['dead-letters'],
    ['dead-letters', 'replay'],
    ['republish'],
    ['republish', 'a', 'b'],
  ])
    t.equal(chooseCommand(words), undefined, words.join(' '));
  t.match(await launch({}, 'dance'), { code: 64, err: /^usage: operator/ });
  t.match(await launch({}, 'dead-letters', 'list'), { code: 78, err: /DATABASE_URL: is required/ });
});

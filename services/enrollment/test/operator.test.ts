import { userUpdated } from '@lms/contracts/events/identity';
import { createId } from '@lms/database/columns';
import { deadLetters } from '@lms/events/tables';
import { findCommand } from '@lms/service/operator/command';
import { runScript } from '@lms/testing/run-script';
import t from 'tap';
import { commands } from '../src/operator-commands.ts';
import { userState } from './test-events.ts';
import { startTestService } from './test-service.ts';

const operator = new URL('../dist/operator.js', import.meta.url);

t.test('a dead letter is replayed', async (t) => {
  const { database } = await startTestService(t);
  const run = (...words: string[]) => runScript(operator, { DATABASE_URL: database.url }, ...words);
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
  t.match(await run('dead-letters', 'replay', stored?.id ?? ''), { code: 0, out: /was replayed/ });
  t.match(await database.sql`select first_name from people where id = ${state.id}`, [{ first_name: 'Late' }]);
  t.equal((await database.sql`select 1 from dead_letters where replayed_at is null`).length, 0);
});

t.test('the events of an enrollment are published again', async (t) => {
  const { database, content, enroll } = await startTestService(t);
  const { enrollment } = await enroll(content.addSubject().id);
  await database.sql`update outbox set published_at = now()`;
  const republish = findCommand(commands, ['republish', enrollment.id]);
  t.equal(await republish?.({ database, settings: {} }), '2 events will be published again');
  t.equal((await database.sql`select 1 from outbox where published_at is null`).length, 2);
});

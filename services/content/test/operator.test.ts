import { userDeleted } from '@lms/contracts/events/identity';
import { createId } from '@lms/database/columns';
import { deadLetters } from '@lms/events/tables';
import { findCommand } from '@lms/service/operator/command';
import { testPrincipal } from '@lms/testing/principals';
import { runScript } from '@lms/testing/run-script';
import t from 'tap';
import { commands } from '../src/operator-commands.ts';
import { admin, startContent } from './content-service.ts';

const operator = new URL('../dist/operator.js', import.meta.url);

t.test('replaying a dead-lettered user deletion ends the assignments of the mentor', async (t) => {
  const { call, createBranch, database } = await startContent(t);
  const run = (...args: string[]) => runScript(operator, { DATABASE_URL: database.url }, ...args);
  const { userId, ...mentor } = testPrincipal(['MENTOR']);
  const { subject } = await createBranch({
    subject: { mentorId: mentor.identityProviderId, mentorEmail: mentor.email },
  });
  const now = new Date().toISOString();
  const state = { ...mentor, id: userId, roles: [], status: 'INACTIVE', createdAt: now, updatedAt: now, version: 2 };
  const [stored] = await database.db
    .insert(deadLetters)
    .values({
      consumer: 'content-identity-users',
      eventId: createId(),
      subject: userDeleted.subject,
      body: JSON.stringify(state),
      headers: { 'ce-type': userDeleted.type, 'ce-time': now },
      error: 'Error: the disk was full',
      attempts: 8,
    })
    .returning();
  t.match(await run('dead-letters', 'replay', stored?.id ?? ''), { code: 0, out: /was replayed/, err: '' });
  const { json } = await call('GET', `/api/admin/education/subjects/${subject.id}`, { as: admin });
  t.match(json.data, { mentorId: null, mentorEmail: null });
  t.equal((await database.sql`select 1 from dead_letters where replayed_at is null`).length, 0);
});

t.test('republish publishes the events of an item again', async (t) => {
  const { createBranch, database } = await startContent(t);
  const { subject } = await createBranch();
  await database.sql`update outbox set published_at = now()`;
  const republish = findCommand(commands, ['republish', subject.id]);
  t.equal(await republish?.({ database, settings: {} }), '1 events will be published again');
});

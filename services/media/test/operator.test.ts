import { topicEvents } from '@lms/contracts/events/content';
import { createId } from '@lms/database/columns';
import { deadLetters } from '@lms/events/tables';
import { testPrincipal } from '@lms/testing/principals';
import { runScript } from '@lms/testing/run-script';
import t from 'tap';
import { dataOf, file, form, startMedia } from './start-media.ts';

const operator = new URL('../dist/operator.js', import.meta.url);

t.test('replaying a dead-lettered purge event discards the objects of the topic', async (t) => {
  const media = await startMedia(t, { reaperIntervalMs: 50 });
  const admin = testPrincipal(['ADMIN']);
  const topic = media.content.addTopic();
  const upload = form(['file', file('hello', 'a.txt')], ['topicId', topic.id], ['metadata', '{}']);
  await dataOf(await media.send(admin, '/api/s3/document/upload', upload));
  const now = new Date().toISOString();
  const state = {
    id: topic.id,
    subjectId: createId(),
    name: 'Gone',
    description: '',
    position: 0,
    isActive: false,
    deletedAt: now,
    createdAt: now,
    updatedAt: now,
    video: null,
    documents: topic.documents,
    version: 9,
  };
  const [stored] = await media.database.db
    .insert(deadLetters)
    .values({
      consumer: 'media-content-topics',
      eventId: createId(),
      subject: topicEvents.purged.subject,
      body: JSON.stringify(state),
      headers: { 'ce-type': topicEvents.purged.type },
      error: 'Error: the disk was full',
      attempts: 8,
    })
    .returning();
  const settings = { DATABASE_URL: media.database.url, PUBLIC_URL: 'http://lms.test' };
  const run = (...words: string[]) => runScript(operator, settings, ...words);
  t.match(await run('dead-letters', 'replay', stored?.id ?? ''), { code: 0, out: /was replayed/, err: '' });
  await media.waitForObjects(0);
  const [event] = await media.database.sql`select * from outbox where type = 'media.document.removed'`;
  t.equal(event?.data.url.startsWith('http://lms.test/'), true);
  t.equal((await media.database.sql`select 1 from dead_letters where replayed_at is null`).length, 0);
  t.match(await runScript(operator, {}, 'dead-letters', 'list'), { code: 78, err: /PUBLIC_URL: is required/ });
});

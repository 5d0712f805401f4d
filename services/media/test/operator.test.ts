import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { topicEvents } from '@lms/contracts/events/content';
import { createId } from '@lms/database/columns';
import { deadLetters } from '@lms/events/tables';
import { type ProcessStreams, runOperator } from '@lms/service/operator/run-operator';
import { testPrincipal } from '@lms/testing/principals';
import { runBody, runScript } from '@lms/testing/run-script';
import t from 'tap';
import { repairObjects } from '../src/check-objects.ts';
import { createKey } from '../src/objects/store-file.ts';
import { operator } from '../src/operator-commands.ts';
import { createFileStorage } from '../src/storage/file.ts';
import { purgedTopic } from './start-content.ts';
import { dataOf, file, form, startMedia } from './start-media.ts';
import { inChunks } from './storage-contract.ts';

const program = new URL('../dist/operator.js', import.meta.url);
const run = (streams: ProcessStreams) => runOperator(operator, streams);

t.test('replaying a dead-lettered purge event discards the objects of the topic', async (t) => {
  const media = await startMedia(t, { reaperIntervalMs: 50 });
  const admin = testPrincipal(['ADMIN']);
  const topic = media.content.addTopic();
  const upload = form(['file', file('hello', 'a.txt')], ['topicId', topic.id], ['metadata', '{}']);
  await dataOf(await media.send(admin, '/api/s3/document/upload', upload));
  const state = { ...purgedTopic(topic), version: 9 };
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
  t.match(await runBody(run, settings, 'dead-letters', 'replay', stored?.id ?? ''), {
    code: 0,
    out: /was replayed/,
    err: '',
  });
  await media.waitForObjects(0);
  const [event] = await media.database.sql`select * from outbox where type = 'media.document.removed'`;
  t.equal(event?.data.url.startsWith('http://lms.test/'), true);
  t.equal((await media.database.sql`select 1 from dead_letters where replayed_at is null`).length, 0);
  t.match(await runBody(run, {}, 'dead-letters', 'list'), { code: 78, err: /PUBLIC_URL: is required/ });
});

t.test('objects without a row and rows without an object are found, and repaired on request', async (t) => {
  const media = await startMedia(t, { reaperIntervalMs: 50 });
  const admin = testPrincipal(['ADMIN']);
  const topic = media.content.addTopic();
  const upload = async (name: string) =>
    dataOf(
      await media.send(
        admin,
        '/api/s3/document/upload',
        form(['file', file(name, name)], ['topicId', topic.id], ['metadata', '{}']),
      ),
    );
  const [kept, lost] = [await upload('kept.txt'), await upload('lost.txt')];
  const storage = createFileStorage(media.root);
  await storage.remove(lost.key);
  const [old, recent] = [createKey('video'), createKey('video')];
  for (const key of [old, recent]) await storage.put(key, inChunks(Buffer.from('bytes')));
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  for (const key of [old, kept.key]) await utimes(join(media.root, key.slice(-2), key), twoDaysAgo, twoDaysAgo);

  const settings = { DATABASE_URL: media.database.url, PUBLIC_URL: 'http://lms.test', STORAGE_PATH: media.root };
  const checked = await runScript(program, settings, 'objects', 'check');
  t.match(checked, { code: 0, out: /1 unreferenced objects, 1 missing objects/, err: '' });
  t.match(checked.out, new RegExp(`${old}  no row.*\\n${lost.key}  the object of this document`));
  t.equal((await media.files()).length, 3);
  t.match(await runBody(run, settings, 'objects', 'repair'), { code: 0 });
  t.match(await runBody(run, settings, 'objects', 'check'), { out: /^0 unreferenced objects, 0 missing/ });
  t.same((await media.files()).toSorted(), [kept.key, recent].toSorted());
  const events = await media.database.sql`select aggregate_id from outbox where type = 'media.document.removed'`;
  t.match(events, [{ aggregate_id: lost.id }]);
});

t.test('a repair spares what was restored after it was found', async (t) => {
  const media = await startMedia(t);
  const topic = media.content.addTopic();
  const upload = form(['file', file('lost', 'lost.txt')], ['topicId', topic.id], ['metadata', '{}']);
  const lost = await dataOf(await media.send(testPrincipal(['ADMIN']), '/api/s3/document/upload', upload));
  const storage = createFileStorage(media.root);
  await storage.remove(lost.key);
  const key = createKey('video');
  await storage.put(key, inChunks(Buffer.from('bytes')));
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000);
  await utimes(join(media.root, key.slice(-2), key), twoDaysAgo, twoDaysAgo);

  const restoring = {
    ...storage,
    async stat(one: string) {
      const found = await storage.stat(one);
      if (found) return found;
      await storage.put(lost.key, inChunks(Buffer.from('lost')));
      await media.database.sql`
        insert into objects (id, kind, key, file_name, uploaded_by, due_at)
        values ('restored', 'video', ${key}, 'a.mp4', 'someone', now() + interval '1 hour')`;
      return undefined;
    },
  };
  const { db } = media.database;
  t.match(await repairObjects(db, restoring, 'http://lms.test'), { unreferenced: [key], missing: [{ id: lost.id }] });
  t.same((await media.files()).toSorted(), [key, lost.key].toSorted());
  t.same([...(await media.database.sql`select 1 from outbox where type = 'media.document.removed'`)], []);
});

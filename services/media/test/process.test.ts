import { readdir } from 'node:fs/promises';
import { topicEvents } from '@lms/contracts/events/content';
import { documentUploaded } from '@lms/contracts/events/media';
import { appendEvent } from '@lms/events/append-event';
import { connectBus } from '@lms/events/bus';
import { startRelay } from '@lms/events/relay';
import { testDatabase } from '@lms/testing/database';
import { passportHeaders, testPassportKey, testPrincipal, testServiceSecret } from '@lms/testing/principals';
import { freePort, startNats } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { createProcess } from './run-process.ts';
import { sample } from './samples.ts';
import { startVideoUpload } from './slow-upload.ts';
import { purgedTopic, startContent } from './start-content.ts';
import { dataOf, file, form, migrations } from './start-media.ts';

const admin = testPrincipal(['ADMIN']);
const silent = pino({ level: 'silent' });

/** Runs media as a process, with real servers. */
async function startProcess(t: Test) {
  const [database, content, nats] = await Promise.all([testDatabase(t, migrations), startContent(t), startNats(t)]);
  const root = t.testdir();
  const port = await freePort();
  const { start, end } = await createProcess(t, 'main', 'readyz', {
    PORT: String(port),
    DATABASE_URL: database.url,
    NATS_URL: nats.url,
    PASSPORT_PUBLIC_KEY: testPassportKey,
    CONTENT_URL: content.url,
    PUBLIC_URL: 'https://lms.example',
    SERVICE_SECRET: testServiceSecret,
    PLAYBACK_SECRET: 'a secret for playback URLs',
    STORAGE_PATH: root,
    REAPER_INTERVAL_SECONDS: '1',
    // Uploads get half of it to finish.
    SHUTDOWN_TIMEOUT: '10',
  });

  return {
    port,
    database,
    content,
    nats,
    end,
    files: async () =>
      (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length,
    rows: async () => [...(await database.sql`select status from objects`)].map(({ status }) => status),
    start,
    send: (path: string, init: RequestInit = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, {
        ...init,
        headers: { ...passportHeaders(admin), ...Object(init.headers) },
      }),
  };
}

/** The statuses of this many objects that are ready. */
const ready = (count: number) => Array<string>(count).fill('ready');

t.test('media as a process', async (t) => {
  // The tests follow one another on this process, because each start takes more than a second of processor time.
  const media = await startProcess(t);
  await media.start();

  t.test('media publishes its events, and discards the objects of a purged topic', async (t) => {
    const [purged, other] = [media.content.addTopic(), media.content.addTopic()];
    for (const { id } of [purged, other]) {
      const video = { ...form(['video', file(sample('mp4', 1_000), 'a.mp4')]), method: 'PUT' };
      await media.send(`/api/admin/education/topics/${id}/video`, video);
      const document = form(['file', file('%PDF-1.7')], ['topicId', id], ['metadata', '{}']);
      await dataOf(await media.send('/api/s3/document/upload', document));
    }
    const bus = connectBus(media.nats.url, 'test', silent);
    t.teardown(bus.close);
    const { manager } = await bus.connected();
    const published = () =>
      manager.streams.info('LMS_EVENTS').then(
        ({ state }) => state.messages,
        () => 0,
      );
    await waitFor(async () => (await published()) >= 4);
    t.ok(await manager.streams.getMessage('LMS_EVENTS', { last_by_subj: documentUploaded.subject }));

    // As content does: in its own outbox, published by its own relay.
    const content = await testDatabase(t, migrations);
    const relay = startRelay(content, bus, 'content', silent);
    const { id } = purged;
    const data = purgedTopic(purged);
    await content.db.transaction((tx) => appendEvent(tx, topicEvents.purged, { aggregateId: id, data }));
    relay.notify();

    await waitFor(async () => (await media.files()) === 2 && (await media.rows()).length === 2);
    t.equal((await media.send(`/api/education/topics/${other.id}/video`)).status, 200);
    t.equal((await media.send(`/api/education/topics/${id}/video`)).status, 404);
    const removed = await media.database.sql`select type from outbox where type like '%removed' order by type`;
    t.same(
      [...removed].map(({ type }) => type),
      ['media.document.removed', 'media.video.removed'],
    );
    await bus.close();
    await relay.ended;
  });

  t.test('uploads of a killed process are cleared by the next one', async (t) => {
    const before = await media.files();
    const topic = media.content.addTopic();
    const uploaded = await media.send(`/api/admin/education/topics/${topic.id}/video`, {
      ...form(['video', file(sample('mp4', 1_000), 'a.mp4')]),
      method: 'PUT',
    });
    t.equal(uploaded.status, 200);
    await startVideoUpload(media, admin, topic.id, sample('mp4', 500_000));
    await waitFor(async () => (await media.files()) === before + 2);
    await media.end('SIGKILL');
    t.same((await media.rows()).toSorted(), [...ready(before + 1), 'receiving']);

    await media.start();
    // Ends the lease of one minute.
    await media.database.sql`update objects set due_at = now() - interval '1 second'`;
    await waitFor(async () => (await media.files()) === before + 1 && (await media.rows()).length === before + 1);
    t.same(await media.rows(), ready(before + 1));
    t.equal((await media.send(`/api/education/topics/${topic.id}/video`)).status, 200);
  });

  t.test('on SIGTERM, short uploads finish, and long ones are aborted and rolled back before exit', async (t) => {
    const before = await media.files();
    const topic = media.content.addTopic();
    const [short, long] = [
      await startVideoUpload(media, admin, topic.id, sample('mp4', 100_000)),
      await startVideoUpload(media, admin, topic.id, sample('mp4', 100_000)),
    ];
    await waitFor(async () => (await media.files()) === before + 2);
    const ended = media.end('SIGTERM');
    t.equal((await short.finish()).status, 200);
    await t.rejects(long.response);
    t.equal(await ended, 0);
    await waitFor(async () => (await media.files()) === before + 1);
    t.same(await media.rows(), ready(before + 1));
  });
});

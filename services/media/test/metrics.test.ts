import { createId } from '@lms/database/columns';
import { createRegistry } from '@lms/telemetry/registry';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { createFileStorage } from '../src/storage/file.ts';
import { sample } from './samples.ts';
import { startVideoUpload } from './slow-upload.ts';
import { startMedia } from './start-media.ts';
import { createPath, patch, tusHeaders, videoUploads } from './tus.ts';

const admin = testPrincipal(['ADMIN']);

t.test('metrics show running uploads and downloads, and the bytes transferred', async (t) => {
  const registry = createRegistry();
  const media = await startMedia(t, { registry });
  const readMetric = async (series: string) =>
    Number(
      (await registry.metrics())
        .split('\n')
        .find((line) => line.startsWith(series))
        ?.slice(series.length) ?? 'NaN',
    );
  const waitForValue = (series: string, matches: (value: number) => boolean) =>
    waitFor(async () => matches(await readMetric(series)), { until: series });
  const uploads = 'media_transfers_running{direction="upload"} ';
  const received = 'media_transferred_bytes_total{direction="upload"} ';
  const sent = 'media_transferred_bytes_total{direction="download"} ';
  t.equal(await readMetric(uploads), 0);

  const topic = media.content.addTopic();
  const bytes = sample('mp4', 300_000);
  const upload = await startVideoUpload(media, admin, topic.id, bytes);
  await waitForValue(uploads, (value) => value === 1);
  t.equal((await upload.finish()).status, 200);
  await waitForValue(uploads, (value) => value === 0);
  await waitForValue(received, (value) => value >= bytes.length && value < bytes.length * 1.1);

  const video = await media.send(admin, `/api/education/topics/${topic.id}/video`);
  const downloaded = (await video.arrayBuffer()).byteLength;
  await waitForValue(sent, (value) => value >= downloaded && value < downloaded + 2_000);
  await waitForValue('media_transfers_running{direction="download"} ', (value) => value === 0);
});

t.test('metrics count the objects that the reaper handles', async (t) => {
  const registry = createRegistry();
  const media = await startMedia(t, { registry, reaperIntervalMs: 50 });
  await media.database.sql`
    insert into objects (id, kind, key, file_name, uploaded_by, due_at)
    values (${createId()}, 'video', ${`video-${createId()}`}, 'a.mp4', 'a-user', now())`;
  await media.waitForObjects(0);
  await waitFor(async () =>
    /media_reaper_objects_total\{state="receiving",outcome="cleared"\} 1/.test(await registry.metrics()),
  );
  t.pass('counted with the status in which it was found');
});

t.test('metrics show unfinished resumable uploads, how long they wait, and the storage they take', async (t) => {
  const registry = createRegistry();
  const files = createFileStorage(t.testdir());
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const remove = async (key: string) => {
    await released;
    await files.remove(key);
  };
  const media = await startMedia(t, { registry, storage: { ...files, remove } });
  t.teardown(() => release());
  const { sql } = media.database;
  const topic = media.content.addTopic();
  const path = await createPath(media, admin, videoUploads(topic.id), 1_000);
  t.equal((await patch(media, admin, path, 0, sample('mp4', 400))).status, 204);
  const shown = async (...lines: string[]) => {
    const exposed = (await registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith('media_resumable_uploads_'));
    for (const line of lines) t.ok(exposed.includes(`media_resumable_uploads_${line}`), line);
    return exposed;
  };
  await shown('unfinished{status="receiving"} 1', 'unfinished{status="received"} 0', 'wait_seconds 0');
  await shown('stored_bytes{status="receiving"} 400', 'stored_bytes{status="ended"} 0');

  // As if it could not be attached for an hour.
  await sql`update resumable_uploads set status = 'received', due_at = now() + interval '1 day',
    expires_at = expires_at - interval '1 hour'`;
  const waiting = await shown('unfinished{status="received"} 1', 'stored_bytes{status="received"} 400');
  const seconds = Number(waiting.find((line) => line.includes('wait_seconds'))?.split(' ')[1]);
  t.ok(seconds >= 3_600 && seconds < 7_200, `${seconds} seconds`);

  await sql`update resumable_uploads set status = 'failed'`;
  await shown('unfinished{status="received"} 0', 'wait_seconds 0', 'stored_bytes{status="ended"} 400');
  t.equal((await media.send(admin, path, { method: 'DELETE', headers: tusHeaders })).status, 204);
  await shown('stored_bytes{status="ended"} 400');
  release();
  await waitFor(async () => (await sql`select key from upload_parts`).length === 0, { until: 'no pieces' });
  await shown('stored_bytes{status="ended"} 0');
});

import { createId } from '@lms/database/columns';
import { createRegistry } from '@lms/telemetry/registry';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t from 'tap';
import { sample } from './samples.ts';
import { startVideoUpload } from './slow-upload.ts';
import { startMedia } from './start-media.ts';

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

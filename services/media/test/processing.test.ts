import { execFile } from 'node:child_process';
import { readdir, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createId } from '@lms/database/columns';
import { testPrincipal } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import t, { type Test } from 'tap';
import { renditionRepository } from '../src/renditions/repository.ts';
import { createFileStorage } from '../src/storage/file.ts';
import { makeFilm } from './films.ts';
import { file, type Media, startMedia } from './start-media.ts';
import { startWorker } from './start-worker.ts';

const run = promisify(execFile);
const admin = testPrincipal(['ADMIN']);
const mentor = testPrincipal(['MENTOR']);
const learner = testPrincipal(['LEARNER']);

interface Processing {
  status: string;
  percent: number;
  error?: string;
  startedAt?: string;
  finishedAt?: string;
}

async function upload(media: Media, topicId: string, bytes: Uint8Array, name = 'film.mp4'): Promise<string> {
  const body = new FormData();
  body.append('video', file(bytes, name));
  const response = await media.send(admin, `/api/admin/education/topics/${topicId}/video`, { method: 'PUT', body });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return JSON.parse(text).data.video.id;
}

async function processingOf(media: Media, topicId: string, user = admin) {
  const response = await media.send(user, `/api/education/topics/${topicId}/video/processing`);
  const body: { data: Processing; code?: string } = JSON.parse(await response.text());
  return { status: response.status, code: body.code, data: body.data };
}

const restart = (media: Media, topicId: string, user = admin) =>
  media.send(user, `/api/admin/education/topics/${topicId}/video/processing`, {
    method: 'POST',
    headers: { 'x-request-id': 'one-session' },
  });

async function waitForStatus(media: Media, topicId: string, wanted: string): Promise<Processing> {
  let latest: Processing | undefined;
  const reached = async () => {
    latest = (await processingOf(media, topicId)).data;
    if (latest.status !== wanted && ['ready', 'failed'].includes(latest.status))
      throw new Error(`${latest.status}: ${latest.error}`);
    return latest.status === wanted ? latest : undefined;
  };
  return waitFor(reached, { timeoutMs: 120_000, until: `status ${wanted}` });
}

/** The address of the master playlist at media itself. */
async function requestHls({ send, url }: Media, topicId: string): Promise<string> {
  const response = await send(learner, `/api/education/topics/${topicId}/video/playback`, { method: 'POST' });
  const { data }: { data: { hls: string } } = JSON.parse(await response.text());
  return new URL(new URL(data.hls).pathname, url).href;
}

const probe = async (path: string, ...options: string[]) =>
  JSON.parse((await run('ffprobe', ['-v', 'error', '-of', 'json', ...options, path])).stdout);

/** Writes an object of the storage to a file. */
async function fetchObject(t: Test, media: Media, id: string): Promise<string> {
  const [object] = await renditionRepository(media.database.db).listObjects([id]);
  const chunks: Buffer[] = [];
  for await (const chunk of await createFileStorage(media.root).open(object?.key ?? '')) chunks.push(chunk);
  const path = join(t.testdir(), `${id}.mp4`);
  await writeFile(path, Buffer.concat(chunks));
  return path;
}

t.test('with one worker', async (t) => {
  const media = await startMedia(t);
  const worker = await startWorker(t, media, { MAX_VIDEO_SECONDS: '60', MAX_VIDEO_PIXELS: '2000000' });

  t.test('a video gets renditions that never exceed it, with aligned keyframes, a poster and a sprite', async (t) => {
    const topic = media.content.addTopic({ mentorId: mentor.userId, enrolled: new Set([learner.userId]) });
    const id = await upload(media, topic.id, await makeFilm({ size: '640x360', seconds: 7 }));
    const ready = await waitForStatus(media, topic.id, 'ready');
    t.match(ready, { percent: 100, startedAt: /Z$/, finishedAt: /Z$/ });
    const shown = { status: 'ready', width: 640, renditions: [{ height: 240 }, { height: 360 }] };
    t.match(topic.video?.video, shown, 'the topic agrees with the response, before the event arrives');

    const repository = renditionRepository(media.database.db);
    t.match(await repository.findProcessing(id), {
      durationSeconds: Number,
      width: 640,
      height: 360,
      hasAudio: true,
      sprite: { columns: 7, tiles: 7, tileWidth: 160, tileHeight: 90, intervalSeconds: 1 },
    });
    const renditions = await repository.listRenditions(id);
    t.strictSame(
      renditions.map(({ width, height }) => [width, height]),
      [
        [426, 240],
        [640, 360],
      ],
    );
    for (const { objectId, codecs, bandwidth, frameRate, initLength, segments } of renditions) {
      t.equal(frameRate, 10);
      t.match(codecs, /^avc1\.\w+,mp4a\.40\.2$/);
      t.ok(bandwidth > 10_000, 'has a bandwidth');
      t.strictSame(
        segments.map(({ durationSeconds }) => Math.round(durationSeconds)),
        [6, 1],
      );
      t.equal(segments[0]?.offset, initLength, 'segments follow the initialization section');
      const path = await fetchObject(t, media, objectId);
      const { streams, format } = await probe(path, '-show_streams', '-show_format');
      t.equal(
        Number(format.size),
        segments.reduce((sum, { length }) => sum + length, initLength),
        'the ranges cover the object',
      );
      t.match(streams, [
        { codec_name: 'h264', pix_fmt: 'yuv420p' },
        { codec_name: 'aac', sample_rate: '48000' },
      ]);
      const { packets } = await probe(path, '-select_streams', 'v', '-show_packets');
      const keyframes = packets.filter((packet: { flags: string }) => packet.flags.startsWith('K'));
      t.strictSame(
        keyframes.map((packet: { pts_time: string }) => Number(packet.pts_time)),
        [0, 6],
        'keyframes are where segments begin, and the first picture is at 0 as the captions expect',
      );
    }
    const url = await requestHls(media, topic.id);
    t.match(
      await probe(url, '-count_frames', '-select_streams', 'v', '-show_streams'),
      {
        streams: [
          { height: 240, nb_read_frames: '70' },
          { height: 360, nb_read_frames: '70' },
        ],
      },
      'players read all of it with the playlists',
    );
    const { posterId, spriteId } = (await repository.findProcessing(id)) ?? {};
    for (const image of [posterId, spriteId])
      t.match(await probe(await fetchObject(t, media, image ?? ''), '-show_streams'), {
        streams: [{ codec_name: 'mjpeg' }],
      });
    await waitFor(async () => (await worker.folders()).length === 0, { until: 'the folder of the job to be gone' });
    t.strictSame(await media.states(), [
      ['media.video.uploaded'],
      ['media.video.progressed', 'queued'],
      ['media.video.progressed', 'processing'],
      ['media.video.processed', 'ready'],
    ]);
    t.equal((await media.rows()).length, 5, 'the video and four derived objects');

    t.equal((await processingOf(media, topic.id, mentor)).status, 200, 'for the mentor of the subject');
    t.match(await processingOf(media, topic.id, learner), { status: 403, code: 'FORBIDDEN' });
    const again = await restart(media, topic.id);
    t.match([again.status, await again.json()], [409, { code: 'INVALID_STATE', details: { current: 'ready' } }]);
    // On a busy machine, the check of ffmpeg may take longer than a probe waits.
    const isReady = async () => (await (await fetch(`${worker.adminUrl}/readyz`)).text()).includes('"ffmpeg":"ok"');
    await waitFor(isReady, { until: 'the worker is ready' });
    const isCounted = async () =>
      (await (await fetch(`${worker.adminUrl}/metrics`)).text()).includes(
        'media_processing_duration_seconds_count{outcome="ready"} 1',
      );
    await waitFor(isCounted, { until: 'the duration of the job' });

    t.equal(
      (await media.send(admin, `/api/admin/education/topics/${topic.id}/video`, { method: 'DELETE' })).status,
      200,
    );
    await media.waitForObjects(0);
    t.strictSame(await repository.listRenditions(id), [], 'the renditions are removed with the video');
  });

  t.test('unsuitable files fail with a reason, and can be processed again', async (t) => {
    const film = await makeFilm({ seconds: 10, size: '320x240' });
    const black = ['-c:v', 'libx264', '-g', '9999', '-crf', '51'];
    // A file that does not say how long it is.
    const endless = ['-c:v', 'libvpx', '-live', '1'];
    const huge = ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p'];
    const sound = (tracks: number) => Array.from({ length: tracks }, () => ['-map', '1:a']).flat();
    const unsuitable: [name: string, bytes: Buffer, reason: RegExp][] = [
      ['sound.mp4', await makeFilm({ size: '16x16', options: ['-map', '1:a'] }), /^The file has no video stream$/],
      ['cut.mp4', film.subarray(0, film.length / 2), /^The file is truncated or damaged: the description/],
      [
        'cut-stream.mp4',
        await makeFilm({ seconds: 10, size: '320x240', options: ['-movflags', 'faststart', '-g', '10'] }).then(half),
        /^The file is truncated or damaged: it ends after \d\.\d of 10\.\d seconds$/,
      ],
      [
        'huge.avi',
        await makeFilm({ size: '2000x1002', seconds: 1, rate: 1, hasAudio: false, extension: 'avi', options: huge }),
        /^The video has 2000 × 1002 pixels; at most 2000000 in total are accepted$/,
      ],
      [
        'long.mp4',
        await makeFilm({ size: '16x16', seconds: 3_600, rate: 1, hasAudio: false, options: black }),
        /^The video lasts 3600 seconds; at most 60 seconds are accepted$/,
      ],
      [
        'endless.webm',
        await makeFilm({ size: '16x16', seconds: 90, rate: 1, hasAudio: false, extension: 'webm', options: endless }),
        /^The video lasts 61 seconds; at most 60 seconds are accepted$/,
      ],
      [
        'tracks.mp4',
        await makeFilm({ seconds: 1, size: '16x16', options: ['-map', '0:v', ...sound(40), '-b:a', '16k'] }),
        /^The file has 41 streams; at most 32 are accepted$/,
      ],
      [
        'reference.mov',
        withExternalReference(await makeFilm({ size: '320x240', extension: 'mov' })),
        /refers to other files/,
      ],
      ['list.mp4', Buffer.from('#EXTM3U\n#EXTINF:6,\nfile:///etc/passwd\n'), /refers to other files/],
      ['text.mp4', Buffer.from('not a film'.repeat(100)), /^The file/],
    ];
    const uploaded: { id: string; name: string; reason: RegExp }[] = [];
    // One after the other: a user may have four uploads at once.
    for (const [name, bytes, reason] of unsuitable) {
      const { id } = media.content.addTopic();
      await upload(media, id, bytes, name);
      uploaded.push({ id, name, reason });
    }
    for (const { id, name, reason } of uploaded)
      t.match(await waitForStatus(media, id, 'failed'), { error: reason, finishedAt: String }, name);
    const topicId = uploaded[0]?.id ?? '';
    await waitFor(async () => (await worker.folders()).length === 0, { until: 'no folder to be left' });
    t.equal((await media.rows()).length, unsuitable.length, 'no derived object is left');
    t.strictSame((await media.events()).filter((type) => type === 'media.video.failed').length, unsuitable.length);
    const restarted = await restart(media, topicId);
    t.match([restarted.status, await restarted.json()], [200, { data: { status: 'queued', percent: 0 } }]);
    await waitForStatus(media, topicId, 'failed');
    const restartedId = media.content.topics.get(topicId)?.video?.video.id;
    t.strictSame(
      (await media.states(restartedId)).map(([, status]) => status),
      [undefined, 'queued', 'processing', 'failed', 'queued', 'processing', 'failed'],
      'each change is published',
    );
    const { status, headers } = await restart(media, topicId);
    t.same([status, headers.get('idempotency-replayed')], [200, null], 'after each failure, whatever the X-Request-Id');
    const empty = media.content.addTopic();
    t.match(await processingOf(media, empty.id), { status: 200, data: { status: 'none', percent: 0 } });
    t.equal((await restart(media, empty.id)).status, 404, 'there is no video');
    t.match(await processingOf(media, createId()), { status: 404, code: 'NOT_FOUND' }, 'there is no topic');
  });
});

t.test('jobs survive crashes and shutdowns, and end when their video is replaced', async (t) => {
  const media = await startMedia(t);
  const [worker, film, shortFilm] = await Promise.all([
    startWorker(t, media, { ENCODER_PRESET: 'slow' }),
    makeFilm({ size: '640x360', seconds: 20, rate: 5 }),
    makeFilm({ size: '320x240' }),
  ]);
  const [crashed, replaced, stopped] = [media.content.addTopic(), media.content.addTopic(), media.content.addTopic()];
  const isRunning = async () => (await toolsIn(worker.workPath)) > 0;

  await upload(media, crashed.id, film);
  await waitFor(isRunning, { until: 'the transcoding to crash', everyMs: 50 });
  await worker.end('SIGKILL');
  await waitFor(async () => !(await isRunning()), { until: 'the end of ffmpeg' });
  t.equal((await worker.folders()).length, 1, 'the crash leaves a folder');
  t.match(await processingOf(media, crashed.id), { data: { status: 'processing' } });
  await worker.start({ ENCODER_PRESET: 'ultrafast' });

  await upload(media, replaced.id, film);
  await waitFor(isRunning, { until: 'the transcoding to cancel', everyMs: 50 });
  const last = await upload(media, replaced.id, shortFilm);
  await waitForStatus(media, replaced.id, 'ready');
  t.equal((await renditionRepository(media.database.db).listRenditions(last)).length, 1, 'of the new video');

  t.match(await waitForStatus(media, crashed.id, 'ready'), { percent: 100 }, 'another process has finished the job');
  await media.waitForObjects(5 + 4);
  await waitFor(async () => (await worker.folders()).length === 0, { until: 'the removal of the folder' });

  await worker.end('SIGTERM');
  await worker.start({ ENCODER_PRESET: 'slow' });
  await upload(media, stopped.id, film);
  await waitFor(isRunning, { until: 'the transcoding to stop', everyMs: 50 });
  t.equal(await worker.end('SIGTERM'), 0, 'the worker shuts down');
  t.match(await processingOf(media, stopped.id), { data: { status: 'queued' } });
  t.strictSame((await media.states()).at(-1), ['media.video.progressed', 'queued'], 'its topic shows that it waits');
  t.strictSame([await isRunning(), await worker.folders()], [false, []]);
});

/** The number of processes that work in a folder of this folder. */
async function toolsIn(folder: string): Promise<number> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(processes.map((id) => readlink(`/proc/${id}/cwd`).catch(() => '')));
  return folders.filter((path) => path.startsWith(`${folder}/`)).length;
}

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

/** Has the first track read its data from another file, with the record of a Macintosh alias. */
function withExternalReference(film: Buffer): Buffer {
  const path = Buffer.from('/etc/passwd\0');
  const pathField = Buffer.from([0, 2, 0, path.length]);
  const record = Buffer.concat([Buffer.alloc(150), pathField, path, Buffer.from([255, 255, 0, 0])]);
  const entry = Buffer.concat([Buffer.from('0000alis0000', 'latin1'), record]);
  entry.writeUInt32BE(entry.length, 0);
  entry.writeUInt32BE(0, 8);
  const at = film.indexOf('url ', film.indexOf('dref')) - 4;
  const end = at + film.readUInt32BE(at);
  // The boxes around it grow.
  for (const box of ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']) {
    const sizeAt = film.lastIndexOf(box, at) - 4;
    film.writeUInt32BE(film.readUInt32BE(sizeAt) + entry.length - (end - at), sizeAt);
  }
  return Buffer.concat([film.subarray(0, at), entry, film.subarray(end)]);
}

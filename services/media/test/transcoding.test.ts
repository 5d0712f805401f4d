import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { createConfinedTools } from '../src/renditions/confined-tools.ts';
import { bandwidthOf } from '../src/renditions/parse-playlist.ts';
import { probeVideo } from '../src/renditions/probe-video.ts';
import { transcodeVideo } from '../src/renditions/transcode-video.ts';
import { type Film, makeFilm } from './films.ts';

const run = promisify(execFile);

async function transcode(t: Test, film: Film, { mimeType = 'video/mp4', part = 1, memoryMb = 4_096 } = {}) {
  const memoryBytes = memoryMb * 1_024 ** 2;
  const tools = createConfinedTools({ timeoutMs: 120_000, memoryBytes, fileBytes: 1_024 ** 3 });
  const directory = t.testdir();
  const bytes = await makeFilm({ size: '320x240', ...film });
  await writeFile(join(directory, 'source'), bytes.subarray(0, bytes.length * part));
  const limits = { maxDurationSeconds: 60, maxPixels: 1_000_000 };
  const { signal } = new AbortController();
  const file = { directory, name: 'source', mimeType, limits, signal };
  const probe = await probeVideo(tools, file);
  const progress: number[] = [];
  const encoder = { preset: 'ultrafast', threads: 1 };
  const transcoded = await transcodeVideo(tools, file, probe, encoder, (ratio) => progress.push(ratio));
  return { ...transcoded, directory, progress };
}

const sound = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];

t.test('the progress of ffmpeg is reported while it runs', async (t) => {
  const { progress } = await transcode(t, { picture: 'gray', seconds: 8 });
  // One report for each tile of the sprite.
  t.same(
    progress.slice(0, 8).map((ratio) => Math.round(ratio * 8)),
    [0, 1, 2, 3, 4, 5, 6, 7],
  );
});

t.test('streams that are not used may last longer than the video', async (t) => {
  const options = ['-map', '0', '-map', '1', '-map', '2'];
  const streams: Film = { picture: 'gray', size: '160x120', seconds: 3.3, inputs: sound(6), options };
  t.match(await transcode(t, streams), { durationSeconds: 3.3, sprite: { tiles: 4 } }, 'MP4');
  const webm = { ...streams, extension: 'webm', options: [...options, '-c:v', 'libvpx'] };
  const { durationSeconds } = await transcode(t, webm, { mimeType: 'video/webm' });
  t.equal(durationSeconds.toFixed(1), '3.3', 'WebM, which has the durations of streams in tags');
});

t.test('the last picture is shown until the audio ends', async (t) => {
  const film: Film = { picture: 'gray', seconds: 2, hasAudio: false, inputs: sound(8) };
  const { durationSeconds, renditions, sprite } = await transcode(t, film);
  t.match([durationSeconds, sprite], [8, { tiles: 8 }]);
  t.strictSame(
    renditions[0]?.segments.map((segment) => segment.durationSeconds),
    [6, 2],
  );
  const options = ['-movflags', 'faststart', '-g', '10'];
  await t.rejects(
    transcode(t, { ...film, picture: 'test pattern', seconds: 10, inputs: sound(14), options }, { part: 0.5 }),
    { name: 'UnsuitableVideo', message: /it ends after \d\.\d of 10\.0 seconds$/ },
    'a file that is cut fails all the same',
  );
});

t.test('every tile of the sprite has a picture', async (t) => {
  for (const [seconds, tiles] of [
    [3.3, 4],
    [0.4, 1],
  ] as const) {
    const { sprite, directory } = await transcode(t, { seconds, hasAudio: false });
    t.match(sprite, { tiles, columns: tiles }, `${seconds} seconds`);
    // The test picture is a bright one: each tile becomes one gray pixel.
    const options = ['-v', 'error', '-i', 'sprite.jpg', '-vf', `scale=${tiles}:1:flags=area`, '-pix_fmt', 'gray'];
    const image = { cwd: directory, encoding: 'buffer' } as const;
    const { stdout } = await run('ffmpeg', [...options, '-f', 'rawvideo', '-'], image);
    t.ok(Math.min(...stdout) > 60, `no tile is black: ${[...stdout].join(', ')}`);
  }
});

t.test('the pictures before audio that begins late are not held in memory', async (t) => {
  // All of them would take more than this memory.
  const inputs = ['-itsoffset', '18', ...sound(1)];
  const film: Film = { picture: 'gray', size: '640x360', rate: 25, seconds: 19, hasAudio: false, inputs };
  const { durationSeconds } = await transcode(t, film, { memoryMb: 600 });
  t.equal(durationSeconds, 19);
});

t.test('audio that begins late has silence before it', async (t) => {
  const film: Film = { picture: 'gray', seconds: 9, hasAudio: false, inputs: ['-itsoffset', '8', ...sound(1)] };
  const { directory } = await transcode(t, film);
  const options = ['-hide_banner', '-i', '0.m3u8', '-vn', '-af', 'silencedetect=duration=1', '-f', 'null', '-'];
  const { stderr } = await run('ffmpeg', options, { cwd: directory });
  const [, end] = /silence_end: ([\d.]+)/.exec(stderr) ?? [];
  t.equal(Math.round(Number(end)), 8);
});

t.test('ffmpeg cannot read the environment of the worker in a user namespace', async (t) => {
  const tools = createConfinedTools({ timeoutMs: 120_000, memoryBytes: 4 * 1_024 ** 3, fileBytes: 1_024 ** 3 });
  const { signal } = new AbortController();
  const environment = `/proc/${process.pid}/environ`;
  const reading = tools.run('ffprobe', ['-v', 'error', '-f', 'data', environment], { directory: t.testdir(), signal });
  const { withoutSecrets } = await tools.describe();
  if (withoutSecrets) await t.rejects(reading, { name: 'ToolFailed', message: /Permission denied/ });
  else await t.resolves(reading, 'the system permits no user namespaces');
});

t.test('the bandwidth is that of the segments with the highest bit rate, not of a short one alone', (t) => {
  const segments = (...given: [durationSeconds: number, kilobits: number][]) =>
    given.map(([durationSeconds, kilobits]) => ({ durationSeconds, offset: 0, length: (kilobits * 1_000) / 8 }));
  const cases: [given: [number, number][], expected: number][] = [
    [[[6, 600]], 100_000],
    [[[0.2, 100]], 500_000],
    [
      [
        [6, 600],
        [6, 1_200],
        [6, 60],
      ],
      200_000,
    ],
    [
      [
        [6, 600],
        [0.2, 400],
      ],
      161_291,
    ],
  ];
  for (const [given, expected] of cases) t.equal(bandwidthOf(segments(...given)), expected);
  t.end();
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { createConfinedTools } from '../src/renditions/confined-tools.ts';
import { bandwidthOf } from '../src/renditions/parse-playlist.ts';
import { probeVideo } from '../src/renditions/probe-video.ts';
import { transcodeVideo } from '../src/renditions/transcode-video.ts';
import { makeFilm } from './films.ts';

t.test('the progress of ffmpeg is reported while it runs', async (t) => {
  const tools = createConfinedTools({ timeoutMs: 120_000, memoryBytes: 4 * 1_024 ** 3, fileBytes: 1_024 ** 3 });
  const directory = t.testdir();
  await writeFile(join(directory, 'source'), await makeFilm({ size: '320x240', seconds: 8 }));
  const limits = { maxDurationSeconds: 60, maxPixels: 1_000_000 };
  const { signal } = new AbortController();
  const file = { directory, name: 'source', mimeType: 'video/mp4', limits, signal };
  const probe = await probeVideo(tools, file);
  const reported: number[] = [];
  const encoder = { preset: 'ultrafast', threads: 1 };
  await transcodeVideo(tools, file, probe, encoder, (ratio) => reported.push(Math.round(ratio * 8)));
  // One report for each tile of the sprite.
  t.same(reported.slice(0, 8), [0, 1, 2, 3, 4, 5, 6, 7]);
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

// Imports and exports of a curriculum of ten thousand topics: seconds, processor time and the largest resident memory of
// content, in the local stack. See README.md.
import { type Client, unwrap } from '@lms/client';
import { curriculumOf, importCurriculum, untilCompleted } from './harness/curriculum.ts';
import { printTable } from './harness/results.ts';
import { runBench, setting } from './harness/run-bench.ts';
import { watch } from './harness/usage.ts';

await runBench(async ({ startLocalStack, check }) => {
  const { admin, pidsOf } = await startLocalStack({ settings: { SEED: 'false' } });
  const rows: string[][] = [];
  const pids = pidsOf('content', 'postgres');
  async function measure<T>(name: string, work: () => Promise<T>) {
    const { value, seconds, used, before, peak } = await watch(pids, work);
    const times = [seconds, used.content ?? 0, used.postgres ?? 0].map((one) => one.toFixed(1));
    const [mebibytes = 0, most = 0] = [before.content, peak.content];
    rows.push([name, ...times, mebibytes.toFixed(0), most.toFixed(0)]);
    return { value, seconds, most };
  }
  const json = curriculumOf(setting('BENCH_TOPICS', 10_000));
  for (const [name, mode] of [
    ['import, all new', 'create'],
    ['import, unchanged', 'upsert'],
  ] as const) {
    const { seconds, most } = await measure(name, () => importCurriculum(admin, json, mode));
    check(`${name}, seconds`, seconds, { atMost: 60 });
    check(`${name}, MiB`, most, { atMost: 150 });
  }
  for (const format of ['json', 'zip', 'csv', 'imscc'] as const) {
    const { value: file } = await measure(`export, ${format}`, () => runExport(admin, format));
    if (format !== 'json') await measure(`import of the ${format}`, () => importCurriculum(admin, file, 'upsert'));
  }
  printTable(['', 'seconds', 'CPU seconds, content', 'PostgreSQL', 'MiB before', 'at most'], rows);
});

async function runExport(client: Client, format: 'json' | 'zip' | 'csv' | 'imscc'): Promise<File> {
  const { id } = await unwrap(client.POST('/api/admin/education/exports', { body: { format } }));
  const params = { path: { id } };
  const { downloadUrl } = await untilCompleted(() =>
    unwrap(client.GET('/api/admin/education/exports/{id}', { params })),
  );
  const response = await fetch(String(downloadUrl));
  if (!response.ok) throw new Error(`the download returned ${response.status}`);
  return new File([await response.blob()], `curriculum.${format}`);
}

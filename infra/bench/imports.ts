// Imports and exports of a curriculum of ten thousand topics: seconds, processor time and the largest resident memory of
// content, in the local stack. See README.md.
import { writeFile } from 'node:fs/promises';
import { curriculumOf, runImport, runJob, type Stack } from './harness/curriculum.ts';
import { printTable } from './harness/report.ts';
import { runBench, setting } from './harness/run-bench.ts';
import { memoryOf, usedBy } from './harness/usage.ts';

await runBench(async ({ startLocalStack, check }) => {
  const stack = await startLocalStack({ settings: { SEED: 'false' } });
  const rows: string[][] = [];
  const pids = stack.pidsOf('content', 'postgres');
  const { content = 0 } = pids;
  async function measure<T>(name: string, work: () => Promise<T>) {
    // Linux then counts the largest resident memory from now on.
    await writeFile(`/proc/${content}/clear_refs`, '5');
    const before = await memoryOf(content);
    const { value, seconds, used } = await usedBy(pids, work);
    const peak = await memoryOf(content, 'VmHWM');
    const times = [seconds, used.content ?? 0, used.postgres ?? 0].map((one) => one.toFixed(1));
    rows.push([name, ...times, before.toFixed(0), peak.toFixed(0)]);
    return { value, seconds, peak };
  }
  const json = new Blob([curriculumOf(setting('BENCH_TOPICS', 10_000))]);
  for (const [name, mode] of [
    ['import, all new', 'create'],
    ['import, unchanged', 'upsert'],
  ] as const) {
    const { seconds, peak } = await measure(name, () => runImport(stack, 'json', json, mode));
    check(`${name}, seconds`, seconds, { atMost: 60 });
    check(`${name}, MiB`, peak, { atMost: 150 });
  }
  for (const format of ['json', 'zip', 'csv', 'imscc']) {
    const { value: file } = await measure(`export, ${format}`, () => runExport(stack, format));
    if (format !== 'json') await measure(`import of the ${format}`, () => runImport(stack, format, file, 'upsert'));
  }
  printTable(['', 'seconds', 'CPU seconds, content', 'PostgreSQL', 'MiB before', 'at most'], rows);
});

async function runExport(stack: Stack, format: string): Promise<Blob> {
  const { downloadUrl } = await runJob(stack, '/admin/education/exports', '', { format });
  const response = await fetch(String(downloadUrl));
  if (!response.ok) throw new Error(`the download returned ${response.status}`);
  return response.blob();
}

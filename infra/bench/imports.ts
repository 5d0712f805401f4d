// Imports and exports of a curriculum of ten thousand topics: seconds, processor time and the largest resident memory of
// content, in the local stack. See README.md.
import { writeFile } from 'node:fs/promises';
import { waitFor } from '@lms/testing/wait-for';
import { startLocalStack } from './harness/local-stack.ts';
import { createTargets, printTable } from './harness/report.ts';
import { memoryOf, usedBy } from './harness/usage.ts';
import { curriculumOf } from './imports/curriculum.ts';

const topics = Number(process.env.BENCH_TOPICS ?? 10_000);
const maxMiB = 150;
const maxSeconds = 60;

const stack = await startLocalStack({ settings: { SEED: 'false' } });
const { content = 0, ...others } = stack.pidsOf('content', 'postgres');
const rows: string[][] = [];
try {
  await measureAll();
} finally {
  await stack.stop();
  await stack.remove();
}

async function measureAll() {
  const targets = createTargets();
  const json = new Blob([curriculumOf(topics)]);
  for (const [name, mode] of [
    ['import, all new', 'create'],
    ['import, unchanged', 'upsert'],
  ] as const) {
    const { seconds, peak } = await measure(name, () => runImport('json', json, mode));
    targets.check(`${name}, seconds`, seconds, { atMost: maxSeconds });
    targets.check(`${name}, MiB`, peak, { atMost: maxMiB });
  }
  for (const format of ['json', 'zip', 'csv', 'imscc']) {
    const { value: file } = await measure(`export, ${format}`, () => runExport(format));
    if (format !== 'json') await measure(`import of the ${format}`, () => runImport(format, file, 'upsert'));
  }
  printTable(['', 'seconds', 'CPU seconds, content', 'PostgreSQL', 'MiB before', 'at most'], rows);
  targets.print();
}

async function measure<T>(name: string, work: () => Promise<T>) {
  // Linux then counts the largest resident memory from now on.
  await writeFile(`/proc/${content}/clear_refs`, '5');
  const before = await memoryOf(content);
  const { value, seconds, used } = await usedBy({ content, ...others }, work);
  const peak = await memoryOf(content, 'VmHWM');
  const cpu = [used.content ?? 0, used.postgres ?? 0];
  rows.push([name, ...[seconds, ...cpu].map((one) => one.toFixed(1)), before.toFixed(0), peak.toFixed(0)]);
  return { value, seconds, peak };
}

async function runImport(format: string, file: Blob, mode: string) {
  const body = new FormData();
  body.set('file', file, `curriculum.${format}`);
  await run(`/admin/education/imports`, `?mode=${mode}`, body);
}

async function runExport(format: string): Promise<Blob> {
  const { downloadUrl } = await run('/admin/education/exports', '', { format });
  const response = await fetch(String(downloadUrl));
  if (!response.ok) throw new Error(`the download returned ${response.status}`);
  return response.blob();
}

/** Starts an import or export, and waits for its end. */
async function run(path: string, query: string, body: object) {
  const { id } = Object(await stack.request('POST', path + query, body));
  const readEnded = async () => {
    const job = Object(await stack.request('GET', `${path}/${id}`));
    return ['completed', 'failed', 'cancelled'].includes(job.status) ? job : undefined;
  };
  const job = await waitFor(readEnded, { timeoutMs: 600_000, until: `the end of ${path}` });
  if (job.status !== 'completed') throw new Error(JSON.stringify(job).slice(0, 1_000));
  return job;
}

// Imports and exports of a curriculum of ten thousand topics: seconds, processor time and the largest resident memory of
// content, in the local stack. See README.md.
import { writeFile } from 'node:fs/promises';
import { waitFor } from '@lms/testing/wait-for';
import { printTable } from './harness/report.ts';
import { type Bench, runBench, setting } from './harness/run-bench.ts';
import { memoryOf, usedBy } from './harness/usage.ts';

type Stack = Awaited<ReturnType<Bench['startLocalStack']>>;

const topicsPerSubject = 20;
const subjectsPerGrade = 5;
const gradesPerLevel = 10;
const contentCharacters = 2_000;
const words = 'number line fraction whole part angle circle square root power sum product prime factor ratio'.split(
  ' ',
);

await runBench(async ({ startLocalStack, check }) => {
  const stack = await startLocalStack({ settings: { SEED: 'false' } });
  const rows: string[][] = [];
  async function measure<T>(name: string, work: () => Promise<T>) {
    const { value, seconds, peak, cells } = await measureOne(stack.pidsOf('content', 'postgres'), work);
    rows.push([name, ...cells]);
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

async function measureOne<T>(pids: Record<string, number>, work: () => Promise<T>) {
  const { content = 0 } = pids;
  // Linux then counts the largest resident memory from now on.
  await writeFile(`/proc/${content}/clear_refs`, '5');
  const before = await memoryOf(content);
  const { value, seconds, used } = await usedBy(pids, work);
  const peak = await memoryOf(content, 'VmHWM');
  const times = [seconds, used.content ?? 0, used.postgres ?? 0].map((one) => one.toFixed(1));
  return { value, seconds, peak, cells: [...times, before.toFixed(0), peak.toFixed(0)] };
}

async function runImport(stack: Stack, format: string, file: Blob, mode: string) {
  const body = new FormData();
  body.set('file', file, `curriculum.${format}`);
  await run(stack, `/admin/education/imports`, `?mode=${mode}`, body);
}

async function runExport(stack: Stack, format: string): Promise<Blob> {
  const { downloadUrl } = await run(stack, '/admin/education/exports', '', { format });
  const response = await fetch(String(downloadUrl));
  if (!response.ok) throw new Error(`the download returned ${response.status}`);
  return response.blob();
}

/** Starts an import or export, and waits for its end. */
async function run(stack: Stack, path: string, query: string, body: object) {
  const { id } = Object(await stack.request('POST', path + query, body));
  const readEnded = async () => {
    const job = Object(await stack.request('GET', `${path}/${id}`));
    return ['completed', 'failed', 'cancelled'].includes(job.status) ? job : undefined;
  };
  const job = await waitFor(readEnded, { timeoutMs: 600_000, until: `the end of ${path}` });
  if (job.status !== 'completed') throw new Error(JSON.stringify(job).slice(0, 1_000));
  return job;
}

/** A `curriculum.json` with this many topics of 2 KB, each different. */
function curriculumOf(topics: number): string {
  const children = <T>(total: number, each: number, start: number, make: (index: number, count: number) => T): T[] =>
    Array.from({ length: Math.ceil(total / each) }, (_, index) =>
      make(start + index * each, Math.min(each, total - index * each)),
    );
  const subjectSize = topicsPerSubject;
  const gradeSize = subjectSize * subjectsPerGrade;
  const levels = children(topics, gradeSize * gradesPerLevel, 0, (levelStart, levelCount) => ({
    ...named('level', levelStart),
    grades: children(levelCount, gradeSize, levelStart, (gradeStart, gradeCount) => ({
      ...named('grade', gradeStart),
      level: 'primary',
      subjects: children(gradeCount, subjectSize, gradeStart, (subjectStart, subjectCount) => ({
        ...named('subject', subjectStart),
        topics: children(subjectCount, 1, subjectStart, (topic) => ({
          ...named('topic', topic),
          content: contentOf(topic),
        })),
      })),
    })),
  }));
  return JSON.stringify({ version: 1, levels });
}

function named(kind: string, number: number) {
  const name = `${kind} ${number}`;
  return { externalId: `${kind}-${number}`, name, description: `The ${kind} that begins with number ${number}` };
}

function contentOf(topic: number): string {
  let text = `Topic ${topic}.`;
  for (let at = topic; text.length < contentCharacters; at += 1 + (at % 7))
    text += ` ${words[at % words.length]} ${at}`;
  return text.slice(0, contentCharacters);
}

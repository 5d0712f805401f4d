// Imports of a curriculum of ten thousand topics: seconds, processor time and the largest resident memory of content. See
// README.md.
import { randomBytes } from 'node:crypto';
import { unwrap } from '@lms/client';
import { waitFor } from '@lms/testing/wait-for';
import { measure } from './harness/measure.ts';
import { runBench, setting } from './harness/run-bench.ts';

await runBench(async ({ startLocalStack, check }) => {
  const stack = await startLocalStack({ SEED: 'false' });
  const { admin } = await stack.signInAdmin();
  const file = curriculumOf(setting('BENCH_TOPICS', 10_000));
  const runImport = (mode: 'create' | 'upsert') => async () => {
    const { id } = await unwrap(admin.importCurriculum({ file, mode }));
    const job = await waitFor(async () => {
      const read = await unwrap(admin.GET('/api/admin/education/imports/{id}', { params: { path: { id } } }));
      return read.finishedAt === null ? undefined : read;
    });
    if (job.status !== 'completed') throw new Error(JSON.stringify(job).slice(0, 1_000));
  };
  const pids = stack.pidsOf('content', 'postgres');
  const imports = {
    'import, all new': await measure(pids, runImport('create')),
    'import, unchanged': await measure(pids, runImport('upsert')),
  };
  console.table(imports);
  for (const [name, measured] of Object.entries(imports)) {
    check(`${name}, seconds`, measured.seconds, { atMost: 60 });
    check(`${name}, MiB`, measured['MiB, content'], { atMost: 150 });
  }
});

/** A `curriculum.json` with this many topics of 2 KB, each different: 20 in a subject, 5 subjects in a grade, 10 grades in a level. */
function curriculumOf(topicCount: number): File {
  let number = 0;
  const some = <T extends object>(count: number, kind: string, more: () => T) =>
    Array.from({ length: count }, () => {
      number += 1;
      const name = `${kind} ${number}`;
      return { externalId: `${kind}-${number}`, name, description: `The ${name}`, ...more() };
    });
  const topics = () => some(20, 'topic', () => ({ content: randomBytes(1_000).toString('hex') }));
  const subjects = () => some(5, 'subject', () => ({ topics: topics() }));
  const grades = () => some(10, 'grade', () => ({ level: 'primary', subjects: subjects() }));
  const levels = some(topicCount / 1_000, 'level', () => ({ grades: grades() }));
  return new File([JSON.stringify({ version: 1, levels })], 'curriculum.json');
}

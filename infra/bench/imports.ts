// A curriculum of ten thousand topics: the time and memory of its import, how many of its events a second reach a projection,
// and how soon a deleted level is gone everywhere. See README.md.
import { randomBytes } from 'node:crypto';
import { unwrap } from '@lms/client';
import { waitFor } from '@lms/testing/wait-for';
import type { Sql } from 'postgres';
import { compare, measure, quantile } from './harness/measure.ts';
import { runBench, setting } from './harness/run-bench.ts';
import { idOf } from './harness/seed.ts';

await runBench(async ({ startLocalStack, check }) => {
  const stack = await startLocalStack({ SEED: 'false' });
  const { client: admin } = await stack.signInAs('admin');
  const [content, enrollment] = [stack.open('content'), stack.open('enrollment')];
  const count = async (sql: Sql, rows: string) =>
    Number((await sql.unsafe(`select count(*) as count from ${rows}`))[0]?.count);

  const file = curriculumOf(setting('BENCH_TOPICS', 10_000));
  const runImport = (mode: 'create' | 'upsert') =>
    measure(stack.pidsOf('content', 'postgres'), async () => {
      const { id } = await unwrap(admin.importCurriculum({ file, mode }));
      const job = await waitFor(async () => {
        const read = await unwrap(admin.GET('/api/admin/education/imports/{id}', { params: { path: { id } } }));
        return read.finishedAt === null ? undefined : read;
      });
      if (job.status !== 'completed') throw new Error(JSON.stringify(job).slice(0, 1_000));
    });
  const imports = { 'import, all new': await runImport('create'), 'import, unchanged': await runImport('upsert') };
  console.table(imports);
  for (const [name, measured] of Object.entries(imports)) {
    check(`${name}, seconds`, measured.seconds, { atMost: 60 });
    check(`${name}, MiB`, measured['MiB, content'], { atMost: 150 });
  }

  const items = await count(content, 'nodes');
  await waitFor(async () => (await count(enrollment, 'outline')) === items);
  /** Appends the events of as many new topics as were imported, in one transaction, and waits until the last one is handled. */
  async function publish(round: number) {
    const before = await count(enrollment, 'outline');
    const { count: appended } = await content.unsafe(`
      insert into outbox (id, type, aggregate_id, version, data)
      select 'm' || substr(md5('${round}' || id), 1, 23), type, topic_id, version,
        data || jsonb_build_object('id', topic_id, 'subjectId', '${idOf('x', round)}')
      from outbox, lateral (select 'm' || substr(md5('${round}' || aggregate_id), 1, 23) as topic_id) topic
      where type = 'content.topic.created' and aggregate_id in (select id from nodes)`);
    const areHandled = async () => (await count(enrollment, 'outline')) === before + appended;
    const pids = stack.pidsOf('content', 'enrollment', 'nats', 'postgres');
    const measured = await measure(pids, () => waitFor(areHandled));
    return { 'events/s': appended / (measured.seconds ?? Number.NaN), ...measured };
  }
  const { values } = await compare({ events: publish }, setting('BENCH_ROUNDS', 3));
  check('events a second, end to end', quantile(values('events', 'events/s')), { atLeast: 2_000 });

  // A learner in each subject.
  await enrollment`insert into people (id, email) values ('u', 'u@lms.test')`;
  await enrollment`
    insert into enrollments (id, user_id, subject_id, status, source, requested_at)
    select id, 'u', id, 'APPROVED', 'ADMIN', now() from outline where kind = 'subject'`;
  for (const sql of [content, enrollment]) await sql`vacuum analyze`;
  const enrollments = await count(enrollment, 'enrollments');
  const [level] = await content`select id from nodes where kind = 'level'`;
  const startedAt = performance.now();
  const checkUntil = async (name: string, condition: () => boolean | Promise<boolean>) => {
    await waitFor(condition);
    check(`${name}, s`, (performance.now() - startedAt) / 1_000, { atMost: 3 });
  };
  await unwrap(admin.DELETE('/api/admin/education/levels/{id}', { params: { path: { id: String(level?.id) } } }));
  await checkUntil('level with 2,000 topics deleted: response', () => true);
  const isEnded = async () => (await count(enrollment, `enrollments where status = 'APPROVED'`)) === enrollments - 100;
  const isGone = async () => (await count(enrollment, 'outline where is_deleted')) === 2_111;
  await Promise.all([checkUntil('access ended', isEnded), checkUntil('all gone from progress', isGone)]);
});

/** A `curriculum.json` with this many topics of 2 KB, each different: 20 in a subject, 10 subjects in a grade, 10 grades in a level. */
function curriculumOf(topicCount: number): File {
  let number = 0;
  const some = <T extends object>(count: number, kind: string, more: () => T) =>
    Array.from({ length: count }, () => {
      number += 1;
      const name = `${kind} ${number}`;
      return { externalId: `${kind}-${number}`, name, description: `The ${name}`, ...more() };
    });
  const topics = () => some(20, 'topic', () => ({ content: randomBytes(1_000).toString('hex') }));
  const subjects = () => some(10, 'subject', () => ({ topics: topics() }));
  const grades = () => some(10, 'grade', () => ({ level: 'primary', subjects: subjects() }));
  const levels = some(topicCount / 2_000, 'level', () => ({ grades: grades() }));
  return new File([JSON.stringify({ version: 1, levels })], 'curriculum.json');
}

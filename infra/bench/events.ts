// How many events a second reach a projection, how soon a deleted level is gone everywhere, and how long the end of access
// waits behind other events. Starts its own local stack. See README.md.
import { unwrap } from '@lms/client';
import { topicEvents } from '@lms/contracts/events/content';
import { connect } from '@lms/database/connect';
import { appendEvents } from '@lms/events/append-event';
import { waitFor } from '@lms/testing/wait-for';
import { curriculumOf, importCurriculum } from './harness/curriculum.ts';
import { printTable, quantile } from './harness/results.ts';
import { type Bench, runBench, setting } from './harness/run-bench.ts';
import { usedBy } from './harness/usage.ts';

const count = setting('BENCH_EVENTS', 10_000);

type System = Awaited<ReturnType<typeof startSystem>>;

await runBench(async (bench) => {
  const { check } = bench;
  const system = await startSystem(bench);
  const rates = [];
  for (let round = 0; round < setting('BENCH_ROUNDS', 3); round += 1)
    rates.push(await measureRate(system, `m${round}`));
  check('events a second, end to end', quantile(rates, 0.5), { atLeast: 2_000 });
  const [large, small] = await importLevels(system);
  const [responded = 0, ended = 0, gone = 0] = await measureDeletion(system, large);
  check('level with 2,000 topics deleted: response, s', responded, { atMost: 3 });
  check('access of all learners ended, s', ended, { atMost: 3 });
  check('all topics gone from progress, s', gone, { atMost: 3 });
  const behind = (await measureUrgent(system, small)).toFixed(2);
  printTable(['', 'seconds'], [[`subject deleted behind ${count} events of topics: access ended`, behind]]);
});

async function startSystem({ startLocalStack, closing }: Bench) {
  const { admin, databaseUrl, pidsOf } = await startLocalStack({ settings: { SEED: 'false' } });
  const content = connect(databaseUrl('content'), { max: 2 });
  const enrollment = connect(databaseUrl('enrollment'), { max: 2 });
  closing.push(content.close, enrollment.close);
  const countRows = async (condition: string): Promise<number> => {
    const [row] = await enrollment.sql.unsafe(`select count(*)::int as total from ${condition}`);
    return Number(row?.total);
  };
  return {
    ...{ admin, content, countRows },
    hasNoAccess: async () => (await countRows("enrollments where status = 'APPROVED'")) === 0,
    pids: pidsOf('content', 'enrollment', 'nats', 'postgres'),
  };
}

/** Appends the events of as many topics in one transaction. */
function appendTopics({ content }: System, prefix: string) {
  const now = new Date().toISOString();
  const events = Array.from({ length: count }, (_, index) => {
    const id = `${prefix}${String(index).padStart(24 - prefix.length, '0')}`;
    const outline = { id, name: `Topic ${index}`, description: 'Numbers', position: index, isActive: true };
    const times = { deletedAt: null, createdAt: now, updatedAt: now };
    return {
      aggregateId: id,
      data: { ...outline, ...times, subjectId: `x${id.slice(1)}`, video: null, documents: [] },
    };
  });
  return content.db.transaction((tx) => appendEvents(tx, topicEvents.created, events));
}

async function secondsUntil(startedAt: number, condition: () => boolean | Promise<boolean>): Promise<number> {
  await waitFor(condition, { timeoutMs: 300_000 });
  return (performance.now() - startedAt) / 1_000;
}

/** The processor time of each process. */
function cpuRows(used: Record<string, number>, unit: string, perSecond: number) {
  return Object.entries(used).map(([name, seconds]) => [`${name}, CPU ${unit}`, (seconds * perSecond).toFixed(0)]);
}

async function measureRate(system: System, prefix: string): Promise<number> {
  const { content, countRows, pids } = system;
  await appendTopics(system, prefix);
  const startedAt = performance.now();
  const { value, used } = await usedBy(pids, () =>
    Promise.all([
      secondsUntil(startedAt, async () => {
        const [row] = await content.sql`select count(*)::int as waiting from outbox where published_at is null`;
        return row?.waiting === 0;
      }),
      secondsUntil(startedAt, async () => (await countRows(`outline where id like '${prefix}%'`)) === count),
    ]),
  );
  const [published, handled] = value;
  const times = Object.entries({ published, handled }).map(([step, seconds]) => [`${step}, s`, seconds.toFixed(2)]);
  printTable([`${count} events`, ''], [...times, ...cpuRows(used, 'µs an event', 1_000_000 / count)]);
  return count / handled;
}

interface Level {
  id: string;
  subjectIds: string[];
}

/** Imports a level with 2,000 topics in 100 subjects, and one with a single subject. */
async function importLevels({ admin }: System): Promise<[large: Level, small: Level]> {
  await importCurriculum(admin, curriculumOf(2_020, { subjectsPerGrade: 100, gradesPerLevel: 1 }), 'create');
  const tree = await unwrap(admin.GET('/api/education/tree'));
  const [large, small] = tree.map(({ id, grades }) => ({
    id,
    subjectIds: grades.flatMap(({ subjects }) => subjects.map((subject) => subject.id)),
  }));
  if (!large || !small) throw new Error('two levels expected');
  return [large, small];
}

/** Gives a learner access to the subjects. */
async function enroll({ admin }: System, subjectIds: string[]) {
  const { id: userId } = await unwrap(admin.GET('/api/auth/profile'));
  for (const subjectId of subjectIds)
    await unwrap(admin.POST('/api/admin/enrollment', { body: { userId, subjectId } }));
}

/** Deletes a level with 2,000 topics and a learner in each of its 100 subjects. */
async function measureDeletion(system: System, { id, subjectIds }: Level): Promise<number[]> {
  const { admin, countRows, hasNoAccess, pids } = system;
  await enroll(system, subjectIds);
  await waitFor(async () => (await countRows("outline where kind = 'topic' and name like 'topic %'")) === 2_020);
  const startedAt = performance.now();
  const { value, used } = await usedBy(pids, async () => {
    await unwrap(admin.DELETE('/api/admin/education/levels/{id}', { params: { path: { id } } }));
    return Promise.all([
      secondsUntil(startedAt, () => true),
      secondsUntil(startedAt, hasNoAccess),
      secondsUntil(startedAt, async () => (await countRows('outline where is_deleted')) === 2_102),
    ]);
  });
  printTable(['deletion', ''], cpuRows(used, 'ms', 1_000));
  return value;
}

/** Deletes a subject while the events of many topics wait. */
async function measureUrgent(system: System, { subjectIds }: Level): Promise<number> {
  const { admin, hasNoAccess } = system;
  await enroll(system, subjectIds);
  await appendTopics(system, 'u');
  const startedAt = performance.now();
  for (const id of subjectIds)
    await unwrap(admin.DELETE('/api/admin/education/subjects/{id}', { params: { path: { id } } }));
  return secondsUntil(startedAt, hasNoAccess);
}

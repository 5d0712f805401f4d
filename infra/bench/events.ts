// How many events a second reach a projection, how soon a deleted level is gone everywhere, and how long the end of access
// waits behind other events. Starts its own local stack. See README.md.
import { topicEvents } from '@lms/contracts/events/content';
import { connect } from '@lms/database/connect';
import { appendEvents } from '@lms/events/append-event';
import { waitFor } from '@lms/testing/wait-for';
import { curriculumOf, runImport } from './harness/curriculum.ts';
import { printTable } from './harness/report.ts';
import { quantile } from './harness/rounds.ts';
import { type Bench, runBench, setting } from './harness/run-bench.ts';
import { usedBy } from './harness/usage.ts';

const count = setting('BENCH_EVENTS', 10_000);
const rounds = setting('BENCH_ROUNDS', 3);

type System = Awaited<ReturnType<typeof startSystem>>;
interface Level {
  levelId: string;
  subjectIds: string[];
}

await runBench(async (bench) => {
  const { check } = bench;
  const system = await startSystem(bench);
  const rates = [];
  for (let round = 0; round < rounds; round += 1) rates.push(await measureRate(system, `m${round}`));
  check('events a second, end to end', quantile(rates, 0.5), { atLeast: 2_000 });
  const [large, small] = await importLevels(system);
  const [responded, ended, gone] = await measureDeletion(system, large);
  check('level with 2,000 topics deleted: response, s', responded, { atMost: 3 });
  check('access of all learners ended, s', ended, { atMost: 3 });
  check('all topics gone from progress, s', gone, { atMost: 3 });
  const behind = (await measureUrgent(system, small)).toFixed(2);
  printTable(['', 'seconds'], [[`subject deleted behind ${count} events of topics: access ended`, behind]]);
});

async function startSystem({ startLocalStack, closing }: Bench) {
  const stack = await startLocalStack({ settings: { SEED: 'false' } });
  const content = connect(stack.databaseUrl('content'), { max: 2 });
  const enrollment = connect(stack.databaseUrl('enrollment'), { max: 2 });
  closing.push(content.close, enrollment.close);
  const pids = stack.pidsOf('content', 'enrollment', 'nats', 'postgres');
  return {
    ...{ stack, content, pids },
    async countRows(condition: string): Promise<number> {
      const [row] = await enrollment.sql.unsafe(`select count(*)::int as total from ${condition}`);
      return Number(row?.total);
    },
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

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}

async function secondsUntil(startedAt: number, condition: () => Promise<boolean>): Promise<number> {
  await waitFor(condition, { timeoutMs: 300_000 });
  return secondsSince(startedAt);
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

/** Imports a level with 2,000 topics in 100 subjects, and one with a single subject. */
async function importLevels({ stack }: System) {
  const file = new Blob([curriculumOf(2_020, { subjectsPerGrade: 100, gradesPerLevel: 1 })]);
  await runImport(stack, 'json', file, 'create');
  const idsOf = async (path: string) =>
    Array.from(Object(await stack.request('GET', `${path}?limit=100`)), (one) => String(Object(one).id));
  const levelIds = await idsOf('/education/levels');
  const [large, small] = await Promise.all(
    levelIds.map(async (levelId): Promise<Level> => {
      const [gradeId] = await idsOf(`/education/levels/${levelId}/grades`);
      return { levelId, subjectIds: await idsOf(`/education/grades/${gradeId}/subjects`) };
    }),
  );
  if (!large || !small) throw new Error('two levels expected');
  return [large, small] as const;
}

/** Gives a learner access to the subjects. */
async function enroll({ stack }: System, subjectIds: string[]) {
  const userId = Object(await stack.request('GET', '/auth/profile')).id;
  for (const subjectId of subjectIds) await stack.request('POST', '/admin/enrollment', { userId, subjectId });
}

/** Deletes a level with 2,000 topics and a learner in each of its 100 subjects. */
async function measureDeletion(
  system: System,
  { levelId, subjectIds }: Level,
): Promise<[responded: number, ended: number, gone: number]> {
  const { stack, countRows, pids } = system;
  await enroll(system, subjectIds);
  await waitFor(async () => (await countRows("outline where kind = 'topic' and name like 'topic %'")) === 2_020);
  const startedAt = performance.now();
  const { value, used } = await usedBy(pids, async () => {
    await stack.request('DELETE', `/admin/education/levels/${levelId}`);
    return Promise.all([
      secondsSince(startedAt),
      secondsUntil(startedAt, async () => (await countRows("enrollments where status = 'APPROVED'")) === 0),
      secondsUntil(startedAt, async () => (await countRows('outline where is_deleted')) === 2_102),
    ]);
  });
  printTable(['deletion', ''], cpuRows(used, 'ms', 1_000));
  return value;
}

/** Deletes a subject while the events of many topics wait. */
async function measureUrgent(system: System, { subjectIds }: Level) {
  const { stack, countRows } = system;
  await enroll(system, subjectIds);
  await appendTopics(system, 'u');
  const startedAt = performance.now();
  for (const id of subjectIds) await stack.request('DELETE', `/admin/education/subjects/${id}`);
  return secondsUntil(startedAt, async () => (await countRows("enrollments where status = 'APPROVED'")) === 0);
}

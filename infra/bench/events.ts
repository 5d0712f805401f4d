// How many events a second reach a projection, how soon a deleted level is gone everywhere, and how long the end of access
// waits behind other events. Starts its own local stack. See README.md.
import { topicEvents } from '@lms/contracts/events/content';
import { connect } from '@lms/database/connect';
import { appendEvents } from '@lms/events/append-event';
import { waitFor } from '@lms/testing/wait-for';
import { startLocalStack } from './harness/local-stack.ts';
import { createTargets } from './harness/report.ts';
import { quantile } from './harness/rounds.ts';
import { usedBy } from './harness/usage.ts';

const count = Number(process.env.BENCH_EVENTS ?? 10_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const leastPerSecond = 2_000;
const mostSeconds = 3;

const stack = await startLocalStack({ settings: { SEED: 'false' } });
const pids = stack.pidsOf('content', 'enrollment', 'nats', 'postgres');
const content = connect(stack.databaseUrl('content'), { max: 2 });
const enrollment = connect(stack.databaseUrl('enrollment'), { max: 2 });
try {
  const rates = [];
  for (let round = 0; round < rounds; round += 1) rates.push(await measureRate(`m${round}`));
  const perSecond = quantile(rates, 0.5);
  const deletion = await measureDeletion();
  const behind = await measureUrgent();
  const targets = createTargets();
  targets.check('events a second, end to end', perSecond, { atLeast: leastPerSecond });
  for (const [name, seconds] of Object.entries(deletion)) targets.check(`${name}, s`, seconds, { atMost: mostSeconds });
  targets.print();
  console.log(`\nsubject deleted behind ${count} events of topics: access ended after ${behind.toFixed(2)} s`);
} finally {
  await Promise.all([content.close(), enrollment.close()]);
  await stack.stop();
  await stack.remove();
}

/** Appends the events of as many topics in one transaction. */
function appendTopics(prefix: string) {
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

async function countRows(condition: string): Promise<number> {
  const [row] = await enrollment.sql.unsafe(`select count(*)::int as total from ${condition}`);
  return Number(row?.total);
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1_000;
}

async function secondsUntil(startedAt: number, condition: () => Promise<boolean>): Promise<number> {
  await waitFor(condition, { timeoutMs: 300_000 });
  return secondsSince(startedAt);
}

/** The processor time of each process in microseconds, divided by a number. */
function format(used: Record<string, number>, divisor: number): string {
  const microseconds = (seconds: number) => ((seconds * 1_000_000) / divisor).toFixed(0);
  return Object.entries(used)
    .map(([name, seconds]) => `${name} ${microseconds(seconds)}`)
    .join(', ');
}

async function measureRate(prefix: string): Promise<number> {
  await appendTopics(prefix);
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
  const [published, seconds] = value;
  console.log(
    `${count} events: published in ${published.toFixed(2)} s, handled in ${seconds.toFixed(2)} s; processor time in µs an event: ${format(used, count)}`,
  );
  return count / seconds;
}

/** Creates a subject for each name, with a learner who has access. Returns their ids. */
async function createSubjects(gradeId: string, names: string[]): Promise<string[]> {
  const userId = Object(await stack.request('GET', '/auth/profile')).id;
  const ids = [];
  for (const name of names) {
    const { id } = Object(
      await stack.request('POST', '/admin/education/subjects', { name, description: 'Numbers', gradeId }),
    );
    await stack.request('POST', '/admin/enrollment', { userId, subjectId: id });
    ids.push(id);
  }
  return ids;
}

async function createGrade(name: string) {
  const level = Object(await stack.request('POST', '/admin/education/levels', { name, description: 'Numbers' }));
  const body = { name, description: 'Numbers', level: 'primary', educationLevelId: level.id };
  const grade = Object(await stack.request('POST', '/admin/education/grades', body));
  return { levelId: String(level.id), gradeId: String(grade.id) };
}

function names(kind: string, length: number): string[] {
  return Array.from({ length }, (_, index) => `${kind} ${index}`);
}

/** Deletes a level with 2,000 topics and a learner in each of its 100 subjects. */
async function measureDeletion() {
  const { levelId, gradeId } = await createGrade('Level to delete');
  const subjects = await createSubjects(gradeId, names('Subject', 100));
  await Promise.all(
    subjects.map(async (subjectId) => {
      for (const name of names('Topic', 20))
        await stack.request('POST', '/admin/education/topics', {
          ...{ name, description: 'Numbers', content: 'One, two, three', subjectId },
        });
    }),
  );
  await waitFor(async () => (await countRows("outline where kind = 'topic' and name like 'Topic %'")) >= 2_000, {
    timeoutMs: 60_000,
  });
  const startedAt = performance.now();
  const { value, used } = await usedBy(pids, async () => {
    await stack.request('DELETE', `/admin/education/levels/${levelId}`);
    return Promise.all([
      secondsSince(startedAt),
      secondsUntil(startedAt, async () => (await countRows("enrollments where status = 'APPROVED'")) === 0),
      secondsUntil(startedAt, async () => (await countRows('outline where is_deleted')) === 2_102),
    ]);
  });
  const [responded, ended, gone] = value;
  console.log(`deletion: processor time in ms: ${format(used, 1_000)}`);
  return {
    'level with 2,000 topics deleted: response': responded,
    'access of all learners ended': ended,
    'all topics gone from progress': gone,
  };
}

/** Deletes a subject while the events of many topics wait. */
async function measureUrgent() {
  const { gradeId } = await createGrade('Level that stays');
  const [subjectId] = await createSubjects(gradeId, ['Subject to delete']);
  await appendTopics('u');
  const startedAt = performance.now();
  await stack.request('DELETE', `/admin/education/subjects/${subjectId}`);
  return secondsUntil(startedAt, async () => (await countRows("enrollments where status = 'APPROVED'")) === 0);
}

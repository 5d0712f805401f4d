// How many events a second reach a projection, and how soon a deleted level is gone everywhere. See README.md.
import { unwrap } from '@lms/client';
import { topicEvents } from '@lms/contracts/events/content';
import { connect } from '@lms/database/connect';
import { appendEvents } from '@lms/events/append-event';
import { waitFor } from '@lms/testing/wait-for';
import { measure } from './harness/measure.ts';
import { compare, quantile, runBench, setting } from './harness/run-bench.ts';
import { idOf, seedContent, seedEnrollment } from './harness/seed.ts';

const count = setting('BENCH_EVENTS', 10_000);
const rounds = setting('BENCH_ROUNDS', 3);

await runBench(async ({ startLocalStack, stops, check }) => {
  const stack = await startLocalStack({ SEED: 'false' });
  const { admin } = await stack.signInAdmin();
  const pids = stack.pidsOf('content', 'enrollment', 'nats', 'postgres');
  const content = stack.open('content');
  const enrollment = stack.open('enrollment');
  const database = connect(content.url, { max: 1 });
  stops.push(database.close);
  const countRows = async (condition: string) =>
    Number((await enrollment.sql.unsafe(`select count(*) as total from ${condition}`))[0]?.total);

  /** Appends the events of as many topics in one transaction, and waits until the last one is handled. */
  async function publish(round: number) {
    await database.db.transaction((tx) => appendEvents(tx, topicEvents.created, topicsOf(round)));
    const areHandled = async () => (await countRows(`outline where id like 'm%'`)) === count * (round + 1);
    const measured = await measure(pids, () => waitFor(areHandled));
    return { 'events/s': count / (measured.seconds ?? Number.NaN), ...measured };
  }
  const { values } = await compare({ events: publish }, rounds);
  check('events a second, end to end', quantile(values('events', 'events/s') ?? [], 0.5), { atLeast: 2_000 });

  // A level with 2,000 topics in 100 subjects, with a learner in each.
  await seedContent(content.sql, 2_000);
  await seedEnrollment(enrollment.sql, 2_000, [idOf('u', 0)], 100);
  const startedAt = performance.now();
  const checkUntil = async (name: string, condition: () => boolean | Promise<boolean>) => {
    await waitFor(condition);
    check(`${name}, s`, (performance.now() - startedAt) / 1_000, { atMost: 3 });
  };
  await unwrap(admin.DELETE('/api/admin/education/levels/{id}', { params: { path: { id: idOf('l', 0) } } }));
  await checkUntil('level with 2,000 topics deleted: response', () => true);
  await Promise.all([
    checkUntil('access ended', async () => (await countRows("enrollments where status = 'APPROVED'")) === 0),
    checkUntil('all gone from progress', async () => (await countRows('outline where is_deleted')) === 2_111),
  ]);
});

function topicsOf(round: number) {
  const now = new Date().toISOString();
  return Array.from({ length: count }, (_, position) => {
    const id = idOf('m', round * count + position);
    const outline = { id, name: `Topic ${position}`, description: 'Numbers', position, isActive: true };
    const times = { deletedAt: null, createdAt: now, updatedAt: now };
    return { aggregateId: id, data: { ...outline, ...times, subjectId: idOf('x', round), video: null, documents: [] } };
  });
}

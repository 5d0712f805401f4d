import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { sendToRedis } from './faults/stores.ts';
import type { Invariant, Violation } from './invariants/invariant.ts';
import { plantedObjects } from './planted/objects.ts';
import { inDatabase, type Planted, withNewestTwice, withoutNewest } from './planted/plant.ts';
import type { Run } from './run.ts';

const planted: Planted[] = [
  {
    name: 'an acknowledged note is lost',
    expected: ['acknowledged writes'],
    plant: withoutNewest('enrollment', 'notes', 'created_at'),
  },
  {
    name: 'an acknowledged note exists twice',
    expected: ['acknowledged writes'],
    plant: withNewestTwice('enrollment', 'notes'),
  },
  {
    name: 'an event is missing in the outbox',
    expected: ['events'],
    // Without the last event of the stream, content would take its database for restored and begin a new epoch.
    plant: withoutNewest('content', 'outbox', 'ordinal', 'stream_sequence < (select max(stream_sequence) from outbox)'),
  },
  {
    name: 'an event is not published',
    expected: ['events'],
    plant: async ({ system }) => {
      // The relay would publish it at once.
      await system.part('content').hold();
      await system.sql('content')`update outbox set published_at = null
        where ordinal = (select max(ordinal) from outbox)`;
      return system.part('content').release;
    },
  },
  {
    name: 'a consumer has not received an event',
    expected: ['events'],
    plant: withoutNewest('enrollment', 'inbox', 'received_at', `consumer = 'enrollment-content-outline'`),
  },
  {
    name: 'an event had its effect twice',
    expected: ['effects'],
    plant: withNewestTwice('identity', 'audit_entries', `entity = 'topic'`),
  },
  {
    name: 'an event had no effect',
    expected: ['effects'],
    plant: withoutNewest('identity', 'audit_entries', 'created_at', `entity = 'topic'`),
  },
  {
    name: 'a projection is stale',
    expected: ['projections'],
    plant: inDatabase(
      'enrollment',
      `update outline set name = name || ' stale' where kind = 'level'`,
      `update outline set name = replace(name, ' stale', '') where kind = 'level'`,
    ),
  },
  {
    name: 'a role is active twice',
    expected: ['one active'],
    plant: inDatabase(
      'identity',
      `drop index user_roles_one_active;
        insert into user_roles (id, user_id, role) select 'planted', user_id, role from user_roles where is_active limit 1`,
      `delete from user_roles where id = 'planted';
        create unique index user_roles_one_active on user_roles (user_id, role) where is_active`,
    ),
  },
  {
    name: 'two decisions were acknowledged',
    expected: ['one winner'],
    async plant({ workload }) {
      const { entries } = workload.journal;
      const winner = entries.find(({ write, status }) => write?.isContest && status === 200);
      if (!winner?.write) throw new Error('nothing was decided');
      const second = { ...winner, write: { ...winner.write, value: 'planted' }, endedAt: winner.startedAt };
      entries.push(second);
      return async () => entries.splice(entries.indexOf(second), 1);
    },
  },
  {
    name: 'calls are counted that no user has made',
    expected: ['quotas'],
    async plant({ system, workload }) {
      const key = `lms:quota:{${workload.users.counted.id}}:${new Date().toISOString().slice(0, 7)}`;
      const count = (field: string) => sendToRedis(system, `HINCRBY ${key} ${field} 1000`);
      await count('calls');
      // The counts only grow.
      return () => count('refunded');
    },
  },
  ...plantedObjects,
  {
    name: 'a learner reads without an enrollment',
    expected: ['access'],
    async plant({ system, workload: { course, users, journal } }) {
      const sql = system.sql('enrollment');
      await sql`insert into enrollments (id, user_id, subject_id, status, source)
        values ('planted', ${users.outsider.id}, ${course.subjectId}, 'APPROVED', 'ADMIN')`;
      const path = `/education/topics/${course.topicId}`;
      const entry = await journal.send({ user: users.outsider, path, needs: [], forbiddenFrom: 0 });
      return async () => {
        await sql`delete from enrollments where id = 'planted'`;
        journal.entries.splice(journal.entries.indexOf(entry), 1);
      };
    },
  },
  {
    name: 'a part fails that no fault has disturbed',
    expected: ['server errors'],
    async plant({ system, workload: { journal } }) {
      // Needs nothing that an earlier fault has disturbed.
      const call = { path: '/education/levels?search=planted', needs: [] };
      const entry = await system.part('content').whileStopped(() => journal.send(call));
      return async () => journal.entries.splice(journal.entries.indexOf(entry), 1);
    },
  },
  {
    name: 'a process is left over',
    expected: ['processes'],
    async plant() {
      const child = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
      return async () => child.kill();
    },
  },
];

export interface Detection {
  name: string;
  isFound: boolean;
  violations: Violation[];
}

/** What an interrupted upload has left is removed when its lease has ended, which changes what the checks compare. */
async function untilNothingIsWithdrawn({ system }: Run) {
  const count = () => system.sql('media')`select 1 from objects where status in ('offered', 'removing') limit 1`;
  while ((await count()).length > 0) await pause(200);
}

const settleMs = 60_000;
/** How long a gateway may keep calls to itself after a slow command to Redis, which looks as if they were lost. */
const unsentMs = 10_000;
const maxAttempts = 3;

/** Plants a violation until exactly the expected invariants are violated, and removes it. */
async function detect(run: Run, expected: Invariant[], plant: Planted['plant']): Promise<Omit<Detection, 'name'>> {
  const undo = await plant(run);
  const deadline = Date.now() + unsentMs;
  for (;;) {
    const violations = await run.findNew(0);
    const reported = [...new Set(violations.map(({ invariant }) => invariant))].sort();
    const isFound = reported.join() === expected.toSorted().join();
    if (isFound || Date.now() > deadline) {
      await undo();
      return { isFound, violations };
    }
    await pause(200);
  }
}

/** Plants each violation in turn. It is found if exactly the expected invariants are reported. */
export async function detectPlanted(run: Run): Promise<Detection[]> {
  await run.workload.pause();
  await untilNothingIsWithdrawn(run);
  const before = await run.findViolations(settleMs);
  const detections: Detection[] = [{ name: 'nothing is violated', isFound: before.length === 0, violations: before }];
  for (const { name, expected, plant } of planted) {
    let detection = await detect(run, expected, plant);
    for (let attempt = 1; attempt < maxAttempts && !detection.isFound; attempt += 1) {
      // A request that failed because the machine is busy stays in the journal, and would be found again.
      await run.findViolations(0);
      detection = await detect(run, expected, plant);
    }
    detections.push({ name, ...detection });
  }
  return detections;
}

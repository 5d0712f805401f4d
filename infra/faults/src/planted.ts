import { spawn } from 'node:child_process';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from 'local/databases';
import { readReply } from 'local/processes/read-reply';
import type { Sql } from 'postgres';
import type { Invariant, Violation } from './invariants/invariant.ts';
import type { Run } from './run.ts';

interface Planted {
  name: string;
  /** The invariants that are violated, and no others. */
  expected: Invariant[];
  /** Violates an invariant. Returns a function that removes the violation. */
  plant(run: Run): Promise<() => Promise<unknown>>;
}

/** Changes rows as the superuser, without triggers and constraints that would refuse it. */
const inDatabase =
  (database: Database, change: (sql: Sql) => Promise<unknown>, undo: (sql: Sql) => Promise<unknown>) =>
  async ({ system }: Run) => {
    await system.query(database, change);
    return () => system.query(database, undo);
  };

/** Removes the newest row of a table, and puts it back. */
const withoutNewest = (database: Database, table: string, order: string, where = 'true') =>
  inDatabase(
    database,
    async (sql) => {
      await sql.unsafe(`create table removed as select * from ${table} where ${where} order by ${order} desc limit 1`);
      await sql.unsafe(
        `delete from ${table} as t using removed r where t.${order} = r.${order} and to_jsonb(t) = to_jsonb(r)`,
      );
    },
    async (sql) => {
      await sql.unsafe(`insert into ${table} overriding system value select * from removed`);
      await sql`drop table removed`;
    },
  );

/** Copies the newest row of a table under another id. */
const withNewestTwice = (database: Database, table: string, where = 'true') =>
  inDatabase(
    database,
    (sql) =>
      sql.unsafe(`insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || '{"id": "planted0000000000000000a"}')).*
        from (select * from ${table} where ${where} order by created_at desc limit 1) t`),
    (sql) => sql.unsafe(`delete from ${table} where id = 'planted0000000000000000a'`),
  );

const newestObject = async ({ system }: Run) => {
  const [row] = await system.query(
    'media',
    (sql) => sql`select key from objects where status = 'ready' order by uploaded_at limit 1`,
  );
  return join(system.storagePath, String(row?.key).slice(-2), String(row?.key));
};

export const planted: Planted[] = [
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
    plant: withoutNewest('content', 'outbox', 'ordinal'),
  },
  {
    name: 'an event is not published',
    expected: ['events'],
    plant: async ({ system }) => {
      // The relay would publish it at once.
      await system.part('content').hold();
      await system.query(
        'content',
        (sql) => sql`update outbox set published_at = null where ordinal = (select max(ordinal) from outbox)`,
      );
      return async () => {
        system.part('content').release();
        await system.part('content').untilReady();
      };
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
      (sql) => sql`update outline set name = name || ' stale' where kind = 'level'`,
      (sql) => sql`update outline set name = replace(name, ' stale', '') where kind = 'level'`,
    ),
  },
  {
    name: 'a role is active twice',
    expected: ['one active'],
    plant: inDatabase(
      'identity',
      async (sql) => {
        await sql`drop index user_roles_one_active`;
        await sql`insert into user_roles (id, user_id, role) select 'planted', user_id, role from user_roles where is_active limit 1`;
      },
      async (sql) => {
        await sql`delete from user_roles where id = 'planted'`;
        await sql`create unique index user_roles_one_active on user_roles (user_id, role) where is_active`;
      },
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
      const port = Number(new URL(system.part('redis').url).port);
      const count = (field: string) => readReply(port, `HINCRBY ${key} ${field} 1000\r\n`);
      await count('calls');
      // The counts only grow.
      return () => count('refunded');
    },
  },
  {
    name: 'an object has no row',
    expected: ['objects'],
    async plant({ system }) {
      const path = join(system.storagePath, 'planted');
      await writeFile(path, '');
      return () => rm(path);
    },
  },
  {
    name: 'an object is lost',
    expected: ['objects'],
    async plant(run) {
      const path = await newestObject(run);
      const aside = join(run.system.directory, 'aside');
      const bytes = await readFile(path);
      await rename(path, aside).catch(() => rm(path));
      return () => writeFile(path, bytes);
    },
  },
  {
    name: 'an entry has neither row nor object',
    expected: ['objects'],
    plant: withoutNewest('media', 'objects', 'uploaded_at', `status = 'ready'`),
  },
  {
    name: 'a learner reads without an enrollment',
    expected: ['access'],
    async plant({ system, workload: { course, users, journal } }) {
      await system.query(
        'enrollment',
        (sql) => sql`insert into enrollments (id, user_id, subject_id, status, source)
        values ('planted', ${users.outsider.id}, ${course.subjectId}, 'APPROVED', 'ADMIN')`,
      );
      const path = `/education/topics/${course.topicId}`;
      const entry = await journal.send({ user: users.outsider, path, needs: [], forbiddenFrom: 0 });
      return async () => {
        await system.query('enrollment', (sql) => sql`delete from enrollments where id = 'planted'`);
        journal.entries.splice(journal.entries.indexOf(entry), 1);
      };
    },
  },
  {
    name: 'a part fails that no fault has disturbed',
    expected: ['server errors'],
    async plant({ system, workload: { journal } }) {
      await system.part('content').hold();
      // Needs nothing that an earlier fault has disturbed.
      const entry = await journal.send({ path: '/education/levels?search=planted', needs: [] });
      system.part('content').release();
      await system.part('content').untilReady();
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

/** Plants each violation in turn. It is found if exactly the expected invariants are reported. */
export async function detectPlanted(run: Run): Promise<Detection[]> {
  await run.workload.pause();
  const detections: Detection[] = [];
  for (const { name, expected, plant } of planted) {
    const undo = await plant(run);
    const violations = await run.findViolations(0);
    await undo();
    const reported = [...new Set(violations.map(({ invariant }) => invariant))].sort();
    detections.push({ name, isFound: reported.join() === expected.toSorted().join(), violations });
  }
  return detections;
}

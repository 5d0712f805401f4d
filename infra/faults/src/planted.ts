import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '@lms/testing/wait-for';
import type { Database } from 'local/databases';
import type { Invariant, Violation } from './invariants/invariants.ts';
import type { Run } from './run.ts';
import { sendToRedis } from './system/faults.ts';
import { type Entry, isAcknowledged } from './workload/journal.ts';

/** Violates an invariant. Returns a function that removes the violation. */
type Plant = (run: Run) => Promise<() => unknown>;

/** The checks read the rows of this query instead of a table: a temporary view hides it from their session only. */
const instead =
  (database: Database, table: string, query: string): Plant =>
  async ({ system: { sql } }) => {
    await sql(database).unsafe(`create temporary view ${table} as ${query}`);
    return () => sql(database).unsafe(`drop view pg_temp.${table}`);
  };
/** A row of the table that meets the condition. */
const isOne = (table: string, condition: string) => `ctid = (select max(ctid) from ${table} where ${condition})`;
const withoutOne = (database: Database, table: string, condition = 'true') =>
  instead(database, table, `select * from ${table} where not ${isOne(table, condition)}`);
const withAllTwice = (database: Database, table: string) =>
  instead(database, table, `select * from ${table} union all select * from ${table}`);
const withOneChanged = (database: Database, table: string, condition: string, changes: string) => {
  const row = `case when ${isOne(table, condition)} then jsonb_populate_record(t, ${changes}) else t end`;
  return instead(database, table, `select (${row}).* from ${table} t`);
};

/** Removes the object of the oldest row. */
const withoutObject =
  (kind: string): Plant =>
  async ({ system: { read, context } }) => {
    const oldest = `select key from objects where status = 'ready' and kind = '${kind}' order by uploaded_at limit 1`;
    const [key = ''] = (await read('media', oldest)).keys();
    const path = join(context.storagePath, key.slice(-2), key);
    const bytes = await readFile(path);
    await rm(path);
    return () => writeFile(path, bytes);
  };

/** Sends a request that violates an invariant. */
const withEntry =
  (send: (run: Run) => Promise<Entry>): Plant =>
  async (run) => {
    const { entries } = run.workload.journal;
    const entry = await send(run);
    return () => entries.splice(entries.indexOf(entry), 1);
  };

const isImported = `kind = 'topic' and description like 'Import %'`;
const isDocument = `kind = 'document' and status = 'ready'`;

/** What violates each invariant, and no other. */
const planted: Record<Invariant, Record<string, Plant>> = {
  'acknowledged writes': {
    'an acknowledged note is lost': withoutOne('enrollment', 'notes'),
    'an acknowledged note exists twice': withAllTwice('enrollment', 'notes'),
  },
  events: {
    'an event is missing in the outbox': withoutOne('content', 'outbox'),
    'an event is not published': withOneChanged('content', 'outbox', 'true', `'{"published_at": null}'`),
    'a consumer has not received an event': withoutOne(
      'enrollment',
      'inbox',
      `consumer = 'enrollment-content-outline'`,
    ),
  },
  effects: {
    'an event had its effect twice': withAllTwice('identity', 'audit_entries'),
    'an event had no effect': withoutOne('identity', 'audit_entries', `entity = 'topic'`),
  },
  projections: {
    'a projection is stale': withOneChanged('enrollment', 'outline', `kind = 'level'`, `'{"name": "A former name"}'`),
  },
  'one active': { 'a role is active twice': withAllTwice('identity', 'user_roles') },
  'one winner': {
    async 'two decisions were acknowledged'({ workload: { journal } }) {
      const winner = journal.contests.flat().find(isAcknowledged);
      if (!winner) throw new Error('nothing was decided');
      journal.contests.push([winner, winner]);
      return () => journal.contests.pop();
    },
  },
  quotas: {
    async 'calls are counted that no user has made'({ system, workload }) {
      const key = `lms:quota:{${workload.users.counted.id}}:${new Date().toISOString().slice(0, 7)}`;
      await sendToRedis(system, `HINCRBY ${key} calls 1000`);
      // The counts only grow.
      return () => sendToRedis(system, `HINCRBY ${key} refunded 1000`);
    },
  },
  objects: {
    async 'an object has no row'({ system: { context } }) {
      const path = join(context.storagePath, 'planted');
      await writeFile(path, '');
      return () => rm(path);
    },
    'an object is lost': withoutObject('document'),
    'an entry has neither row nor object': withoutOne('media', 'objects', isDocument),
    'a rendition belongs to no video': withOneChanged(
      'media',
      'video_processing',
      `status = 'ready'`,
      `'{"poster_id": null}'`,
    ),
  },
  renditions: {
    'a video was not processed': withOneChanged(
      'media',
      'video_processing',
      `status = 'ready'`,
      `'{"status": "failed"}'`,
    ),
    'the object of a rendition is lost': withoutObject('rendition'),
  },
  imports: {
    'an import has not ended': withOneChanged('content', 'imports', 'true', `'{"status": "importing"}'`),
    'an imported topic is missing': withOneChanged(
      'content',
      'nodes',
      isImported,
      `'{"description": "Another topic"}'`,
    ),
    'an imported document exists twice': withOneChanged(
      'content',
      'nodes',
      isImported,
      `jsonb_build_object('documents', documents || documents)`,
    ),
  },
  access: {
    'a learner reads without an enrollment': withEntry(
      async ({ system: { sql }, workload: { course, users, journal } }) => {
        await sql('enrollment')`insert into enrollments (id, user_id, subject_id, status, source)
        values ('planted', ${users.outsider.id}, ${course.subjectId}, 'APPROVED', 'ADMIN')`;
        const path = `/education/topics/${course.topicId}`;
        const entry = await journal.send(`GET ${path}`, { user: users.outsider, forbiddenFrom: 0 });
        await sql('enrollment')`delete from enrollments where id = 'planted'`;
        return entry;
      },
    ),
  },
  'server errors': {
    // Needs nothing that an earlier fault has disturbed.
    'a part fails that no fault has disturbed': withEntry(({ system, workload: { journal } }) =>
      system.whileStopped(['content'], () => journal.send('GET /education/levels?search=planted', { needs: [] })),
    ),
  },
  processes: {
    async 'a process is left over'() {
      const child = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
      return () => child.kill();
    },
  },
};

interface Detection {
  name: string;
  isFound: boolean;
  violations: Violation[];
}

const settleMs = 60_000;
/** A gateway may keep calls to itself for ten seconds after a slow command to Redis, which looks as if they were lost. */
const maxAttempts = 15;

/** Plants each violation in turn. */
export async function detectPlanted(run: Run): Promise<Detection[]> {
  await run.workload.pause();
  // What an interrupted upload has left is removed when its lease has ended, which changes what the checks compare.
  const withdrawn = `select id as key from objects where status in ('offered', 'removing')`;
  await waitFor(async () => (await run.system.read('media', withdrawn)).size === 0);
  const before = await run.findOnce(settleMs);
  const detections: Detection[] = [{ name: 'nothing is violated', isFound: before.length === 0, violations: before }];
  for (const [expected, plants] of Object.entries(planted))
    for (const [name, plant] of Object.entries(plants)) detections.push(await detect(run, plant, { name, expected }));
  return detections;
}

/** Plants a violation until exactly the expected invariant is reported. */
async function detect(run: Run, plant: Plant, { name, expected }: { name: string; expected: string }) {
  for (let attempt = 1; ; attempt += 1) {
    const remove = await plant(run);
    const violations = await run.findNew(0);
    await remove();
    const isFound = violations.length > 0 && violations.every(({ invariant }) => invariant === expected);
    if (isFound || attempt === maxAttempts) return { name, isFound, violations };
    await pause(1_000);
    // A request that failed because the machine is busy stays in the journal, and would be found again.
    await run.findOnce(0);
  }
}

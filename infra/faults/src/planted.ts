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

/** Violates an invariant, and removes the violation when it has been checked. */
type Plant = (run: Run, check: () => Promise<void>) => Promise<unknown>;

/** Changes rows as the superuser, without triggers and constraints that would refuse it. */
const inDatabase =
  (database: Database, change: string, undo: string): Plant =>
  async ({ system }, check) => {
    await system.sql(database).unsafe(change);
    await check();
    await system.sql(database).unsafe(undo);
  };

/** Removes the newest row of a table. */
const withoutNewest = (database: Database, table: string, order: string, where = 'true') =>
  inDatabase(
    database,
    `create table removed as select * from ${table} where ${where} order by ${order} desc limit 1;
      delete from ${table} as t using removed r where t.${order} = r.${order} and to_jsonb(t) = to_jsonb(r)`,
    `insert into ${table} overriding system value select * from removed; drop table removed`,
  );

/** Copies the newest row of a table under another id. */
const withNewestTwice = (database: Database, table: string, where = 'true') =>
  inDatabase(
    database,
    `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(t) || '{"id": "planted0000000000000000a"}')).*
      from (select * from ${table} where ${where} order by created_at desc limit 1) t`,
    `delete from ${table} where id = 'planted0000000000000000a'`,
  );

/** Removes the object of the oldest row. */
const withoutObject =
  (kind: string): Plant =>
  async ({ system: { read, context } }, check) => {
    const objects = `select key from objects where status = 'ready' and kind = '${kind}' order by uploaded_at limit 1`;
    const [key = ''] = (await read('media', objects)).keys();
    const path = join(context.storagePath, key.slice(-2), key);
    const bytes = await readFile(path);
    await rm(path);
    await check();
    await writeFile(path, bytes);
  };

/** Sends a request that violates an invariant. */
const withEntry =
  (send: (run: Run) => Promise<Entry>): Plant =>
  async (run, check) => {
    const entry = await send(run);
    await check();
    const { entries } = run.workload.journal;
    entries.splice(entries.indexOf(entry), 1);
  };

/** What is violated, and the invariant that is reported, and no other. */
const planted: [name: string, expected: Invariant, plant: Plant][] = [
  ['an acknowledged note is lost', 'acknowledged writes', withoutNewest('enrollment', 'notes', 'created_at')],
  ['an acknowledged note exists twice', 'acknowledged writes', withNewestTwice('enrollment', 'notes')],
  [
    'an event is missing in the outbox',
    'events',
    // Without the last event of the stream, content would take its database for restored and begin a new epoch.
    withoutNewest('content', 'outbox', 'ordinal', 'stream_sequence < (select max(stream_sequence) from outbox)'),
  ],
  [
    'an event is not published',
    'events',
    ({ system }, check) =>
      // The relay would publish it at once.
      system.part('content').whileStopped(async () => {
        await system.sql('content')`update outbox set published_at = null
          where ordinal = (select max(ordinal) from outbox)`;
        await check();
      }),
  ],
  [
    'a consumer has not received an event',
    'events',
    withoutNewest('enrollment', 'inbox', 'received_at', `consumer = 'enrollment-content-outline'`),
  ],
  ['an event had its effect twice', 'effects', withNewestTwice('identity', 'audit_entries', `entity = 'topic'`)],
  ['an event had no effect', 'effects', withoutNewest('identity', 'audit_entries', 'created_at', `entity = 'topic'`)],
  [
    'a projection is stale',
    'projections',
    inDatabase(
      'enrollment',
      `update outline set name = name || ' stale' where kind = 'level'`,
      `update outline set name = replace(name, ' stale', '') where kind = 'level'`,
    ),
  ],
  [
    'a role is active twice',
    'one active',
    inDatabase(
      'identity',
      `drop index user_roles_one_active;
        insert into user_roles (id, user_id, role) select 'planted', user_id, role from user_roles where is_active limit 1`,
      `delete from user_roles where id = 'planted';
        create unique index user_roles_one_active on user_roles (user_id, role) where is_active`,
    ),
  ],
  [
    'two decisions were acknowledged',
    'one winner',
    async ({ workload: { journal } }, check) => {
      const winner = journal.contests.flat().find(isAcknowledged);
      if (!winner) throw new Error('nothing was decided');
      journal.contests.push([winner, winner]);
      await check();
      journal.contests.pop();
    },
  ],
  [
    'calls are counted that no user has made',
    'quotas',
    async ({ system, workload }, check) => {
      const key = `lms:quota:{${workload.users.counted.id}}:${new Date().toISOString().slice(0, 7)}`;
      await sendToRedis(system, `HINCRBY ${key} calls 1000`);
      await check();
      // The counts only grow.
      await sendToRedis(system, `HINCRBY ${key} refunded 1000`);
    },
  ],
  [
    'an object has no row',
    'objects',
    async ({ system }, check) => {
      const path = join(system.context.storagePath, 'planted');
      await writeFile(path, '');
      await check();
      await rm(path);
    },
  ],
  ['an object is lost', 'objects', withoutObject('document')],
  [
    'an entry has neither row nor object',
    'objects',
    withoutNewest('media', 'objects', 'uploaded_at', `status = 'ready' and kind = 'document'`),
  ],
  [
    'a rendition belongs to no video',
    'objects',
    inDatabase(
      'media',
      `create table unnamed as select video_id, poster_id from video_processing where poster_id is not null;
        update video_processing set poster_id = null`,
      `update video_processing p set poster_id = u.poster_id from unnamed u where u.video_id = p.video_id;
        drop table unnamed`,
    ),
  ],
  [
    'a video was not processed',
    'renditions',
    inDatabase(
      'media',
      `update video_processing set status = 'failed' where status = 'ready'`,
      `update video_processing set status = 'ready' where status = 'failed'`,
    ),
  ],
  ['the object of a rendition is lost', 'renditions', withoutObject('rendition')],
  [
    'an import has not ended',
    'imports',
    inDatabase(
      'content',
      `update imports set status = 'importing', due_at = 'infinity' where finished_at = (select max(finished_at) from imports)`,
      `update imports set status = 'completed' where status = 'importing'`,
    ),
  ],
  [
    'an imported topic is missing',
    'imports',
    inDatabase(
      'content',
      `update nodes set description = 'planted' where id = (select max(id) from nodes where kind = 'topic' and description like 'Import %')`,
      `update nodes set description = (select description from nodes s where s.id = nodes.parent_id) where description = 'planted'`,
    ),
  ],
  [
    'an imported document exists twice',
    'imports',
    inDatabase(
      'content',
      `update nodes set documents = documents || documents where description like 'Import %'`,
      `update nodes set documents = jsonb_build_array(documents->0) where description like 'Import %' and kind = 'topic'`,
    ),
  ],
  [
    'a learner reads without an enrollment',
    'access',
    withEntry(async ({ system, workload: { course, users, journal } }) => {
      const sql = system.sql('enrollment');
      await sql`insert into enrollments (id, user_id, subject_id, status, source)
        values ('planted', ${users.outsider.id}, ${course.subjectId}, 'APPROVED', 'ADMIN')`;
      const path = `/education/topics/${course.topicId}`;
      const entry = await journal.send(`GET ${path}`, { user: users.outsider, forbiddenFrom: 0 });
      await sql`delete from enrollments where id = 'planted'`;
      return entry;
    }),
  ],
  [
    'a part fails that no fault has disturbed',
    'server errors',
    withEntry(({ system, workload: { journal } }) =>
      // Needs nothing that an earlier fault has disturbed.
      system.part('content').whileStopped(() => journal.send('GET /education/levels?search=planted', { needs: [] })),
    ),
  ],
  [
    'a process is left over',
    'processes',
    async (_, check) => {
      const child = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
      await check();
      child.kill();
    },
  ],
];

export interface Detection {
  name: string;
  isFound: boolean;
  violations: Violation[];
}

const settleMs = 60_000;
/** A gateway may keep calls to itself for ten seconds after a slow command to Redis, which looks as if they were lost. */
const maxAttempts = 15;

/** Plants each violation in turn. It is found if exactly the expected invariant is reported. */
export async function detectPlanted(run: Run): Promise<Detection[]> {
  await run.workload.pause();
  // What an interrupted upload has left is removed when its lease has ended, which changes what the checks compare.
  const withdrawn = `select id as key from objects where status in ('offered', 'removing')`;
  await waitFor(async () => (await run.system.read('media', withdrawn)).size === 0);
  const before = await run.findOnce(settleMs);
  const detections: Detection[] = [{ name: 'nothing is violated', isFound: before.length === 0, violations: before }];
  for (const [name, expected, plant] of planted) {
    let detection: Detection = { name, isFound: false, violations: [] };
    for (let attempt = 1; attempt <= maxAttempts && !detection.isFound; attempt += 1) {
      if (attempt > 1) await pause(1_000);
      // A request that failed because the machine is busy stays in the journal, and would be found again.
      await run.findOnce(0);
      await plant(run, async () => {
        const violations = await run.findNew(0);
        const isFound = violations.length > 0 && violations.every(({ invariant }) => invariant === expected);
        detection = { name, isFound, violations };
      });
    }
    detections.push(detection);
  }
  return detections;
}

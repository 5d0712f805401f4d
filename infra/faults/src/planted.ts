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
const without = (database: Database, table: string, condition: string) =>
  instead(database, table, `select * from ${table} where not (${condition})`);
const withAllTwice = (database: Database, table: string) =>
  instead(database, table, `select * from ${table} union all select * from ${table}`);
const withChanged = (database: Database, table: string, condition: string, changes: string) =>
  instead(
    database,
    table,
    `select (case when ${condition} then jsonb_populate_record(t, ${changes}) else t end).* from ${table} t`,
  );

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

const isNewest = (column: string, table: string, condition = 'true') =>
  `${column} = (select max(${column}) from ${table} where ${condition})`;
const oldestImported = `id = (select min(id) from nodes where kind = 'topic' and description like 'Import %')`;
const newestDocument = isNewest('uploaded_at', 'objects', `status = 'ready' and kind = 'document'`);
const outlineEvent = `consumer = 'enrollment-content-outline'`;

/** What is violated, and the invariant that is reported, and no other. */
const planted: [name: string, expected: Invariant, plant: Plant][] = [
  [
    'an acknowledged note is lost',
    'acknowledged writes',
    without('enrollment', 'notes', isNewest('created_at', 'notes')),
  ],
  ['an acknowledged note exists twice', 'acknowledged writes', withAllTwice('enrollment', 'notes')],
  ['an event is missing in the outbox', 'events', without('content', 'outbox', isNewest('ordinal', 'outbox'))],
  [
    'an event is not published',
    'events',
    withChanged('content', 'outbox', isNewest('ordinal', 'outbox'), `'{"published_at": null}'`),
  ],
  [
    'a consumer has not received an event',
    'events',
    without('enrollment', 'inbox', `${outlineEvent} and ${isNewest('event_id', 'inbox', outlineEvent)}`),
  ],
  ['an event had its effect twice', 'effects', withAllTwice('identity', 'audit_entries')],
  ['an event had no effect', 'effects', without('identity', 'audit_entries', `entity = 'topic'`)],
  [
    'a projection is stale',
    'projections',
    withChanged('enrollment', 'outline', `kind = 'level'`, `'{"name": "A name of before"}'`),
  ],
  ['a role is active twice', 'one active', withAllTwice('identity', 'user_roles')],
  [
    'two decisions were acknowledged',
    'one winner',
    async ({ workload: { journal } }) => {
      const winner = journal.contests.flat().find(isAcknowledged);
      if (!winner) throw new Error('nothing was decided');
      journal.contests.push([winner, winner]);
      return () => journal.contests.pop();
    },
  ],
  [
    'calls are counted that no user has made',
    'quotas',
    async ({ system, workload }) => {
      const key = `lms:quota:{${workload.users.counted.id}}:${new Date().toISOString().slice(0, 7)}`;
      await sendToRedis(system, `HINCRBY ${key} calls 1000`);
      // The counts only grow.
      return () => sendToRedis(system, `HINCRBY ${key} refunded 1000`);
    },
  ],
  [
    'an object has no row',
    'objects',
    async ({ system: { context } }) => {
      const path = join(context.storagePath, 'planted');
      await writeFile(path, '');
      return () => rm(path);
    },
  ],
  ['an object is lost', 'objects', withoutObject('document')],
  ['an entry has neither row nor object', 'objects', without('media', 'objects', newestDocument)],
  [
    'a rendition belongs to no video',
    'objects',
    withChanged('media', 'video_processing', 'true', `'{"poster_id": null}'`),
  ],
  [
    'a video was not processed',
    'renditions',
    withChanged('media', 'video_processing', 'true', `'{"status": "failed"}'`),
  ],
  ['the object of a rendition is lost', 'renditions', withoutObject('rendition')],
  ['an import has not ended', 'imports', withChanged('content', 'imports', 'true', `'{"status": "importing"}'`)],
  [
    'an imported topic is missing',
    'imports',
    withChanged('content', 'nodes', oldestImported, `'{"description": "Another topic"}'`),
  ],
  [
    'an imported document exists twice',
    'imports',
    withChanged('content', 'nodes', oldestImported, `jsonb_build_object('documents', documents || documents)`),
  ],
  [
    'a learner reads without an enrollment',
    'access',
    withEntry(async ({ system: { sql }, workload: { course, users, journal } }) => {
      await sql('enrollment')`insert into enrollments (id, user_id, subject_id, status, source)
        values ('planted', ${users.outsider.id}, ${course.subjectId}, 'APPROVED', 'ADMIN')`;
      const path = `/education/topics/${course.topicId}`;
      const entry = await journal.send(`GET ${path}`, { user: users.outsider, forbiddenFrom: 0 });
      await sql('enrollment')`delete from enrollments where id = 'planted'`;
      return entry;
    }),
  ],
  [
    'a part fails that no fault has disturbed',
    'server errors',
    withEntry(({ system, workload: { journal } }) =>
      // Needs nothing that an earlier fault has disturbed.
      system.whileStopped('content', () => journal.send('GET /education/levels?search=planted', { needs: [] })),
    ),
  ],
  [
    'a process is left over',
    'processes',
    async () => {
      const child = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
      return () => child.kill();
    },
  ],
];

interface Detection {
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
    for (let attempt = 1; ; attempt += 1) {
      const remove = await plant(run);
      const violations = await run.findNew(0);
      await remove();
      const isFound = violations.length > 0 && violations.every(({ invariant }) => invariant === expected);
      if (isFound || attempt === maxAttempts) {
        detections.push({ name, isFound, violations });
        break;
      }
      await pause(1_000);
      // A request that failed because the machine is busy stays in the journal, and would be found again.
      await run.findOnce(0);
    }
  }
  return detections;
}

import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { waitFor } from '@lms/testing/wait-for';
import type { Invariant } from './invariants/invariants.ts';
import type { Run } from './run.ts';
import { sendToRedis } from './system/faults.ts';
import { type Entry, isAcknowledged } from './workload/journal.ts';

/** Violates an invariant. Returns a function that removes the violation. */
type Plant = (run: Run) => Promise<() => unknown>;

/** Changes a copy of a table, which hides the table from the session of the checks, and from no other. */
const inCopy =
  (database: string, table: string, change: string): Plant =>
  async ({ system: { sql } }) => {
    await sql(database).unsafe(`create temporary table ${table} as select * from ${table}; ${change}`);
    return () => sql(database).unsafe(`drop table pg_temp.${table}`);
  };

/** Changes what the journal says about a request. */
const inJournal =
  (isMeant: (entry: Entry) => unknown, changes: Partial<Entry>): Plant =>
  async ({ workload }) => {
    const entry = workload.journal.entries.find(isMeant);
    if (!entry) throw new Error('there is no such request');
    const original = { forbiddenFrom: undefined, ...entry };
    Object.assign(entry, changes);
    return () => Object.assign(entry, original);
  };

const isReading = ({ status, data }: Entry) => status === 200 && Object(data).access?.granted;
const ofNewest = 'where ordinal = (select max(ordinal) from outbox)';
const ofNewestDelivery = 'where event_id = (select max(event_id) from inbox)';
const ofImports = `where kind = 'topic' and description like 'Import %'`;
const ofDocument = `where id = (select max(id) from objects where kind = 'document' and status = 'ready')`;

/** What violates each invariant, and no other. */
const planted: Record<Invariant, Record<string, Plant>> = {
  'acknowledged writes': {
    'a note is lost': inCopy('enrollment', 'notes', 'delete from notes where id = (select max(id) from notes)'),
    'a note exists twice': inCopy('enrollment', 'notes', 'insert into notes select * from notes limit 1'),
  },
  events: {
    'an event is missing': inCopy('content', 'outbox', `delete from outbox ${ofNewest}`),
    'an event is not published': inCopy('content', 'outbox', `update outbox set published_at = null ${ofNewest}`),
    'a consumer has not received an event': inCopy('enrollment', 'inbox', `delete from inbox ${ofNewestDelivery}`),
  },
  effects: {
    'an event has two effects': inCopy('identity', 'audit_entries', 'insert into audit_entries table audit_entries'),
    'an event has no effect': inCopy('identity', 'audit_entries', `delete from audit_entries where entity = 'topic'`),
  },
  projections: {
    'a projection is stale': inCopy('enrollment', 'outline', `update outline set name = 'stale' where kind = 'level'`),
  },
  'one active': {
    'a role is active twice': inCopy('identity', 'user_roles', 'insert into user_roles table user_roles'),
  },
  'one winner': {
    async 'two decisions are acknowledged'({ workload: { journal } }) {
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
    'an object has no row': inCopy('media', 'objects', `delete from objects where kind = 'poster'`),
    'an object is lost': inCopy('media', 'objects', `update objects set key = 'lost' ${ofDocument}`),
    'an entry has neither row nor object': inCopy('media', 'objects', `delete from objects ${ofDocument}`),
    'a poster has no video': inCopy('media', 'video_processing', 'update video_processing set poster_id = null'),
  },
  renditions: {
    'a video is not processed': inCopy('media', 'video_processing', `update video_processing set status = 'failed'`),
    'the object of a rendition is lost': inCopy(
      'media',
      'objects',
      `insert into objects select (jsonb_populate_record(o, '{"key": "lost"}')).* from objects o where kind = 'rendition'`,
    ),
  },
  imports: {
    'an import has not ended': inCopy('content', 'imports', `update imports set status = 'importing'`),
    'an imported topic is missing': inCopy('content', 'nodes', `update nodes set description = '' ${ofImports}`),
    'an imported document exists twice': inCopy(
      'content',
      'nodes',
      `update nodes set documents = documents || documents ${ofImports}`,
    ),
  },
  access: {
    'a learner reads without an enrollment': inJournal(isReading, { forbiddenFrom: 0 }),
  },
  'server errors': {
    'a part fails that no fault has disturbed': inJournal(({ user }) => !user, { status: 503, needs: [] }),
  },
  processes: {
    async 'a process is left over'() {
      const child = spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
      return () => child.kill();
    },
  },
};

const settleMs = 60_000;
/** A gateway may keep calls to itself for ten seconds after a slow command to Redis, which looks as if they were lost. */
const maxAttempts = 15;

/** Plants each violation in turn. */
export async function* detectPlanted(run: Run) {
  await run.workload.pause();
  // What an interrupted upload has left is removed when its lease has ended, which changes what the checks compare.
  const withdrawn = `select id as key from objects where status in ('offered', 'removing')`;
  await waitFor(async () => (await run.system.read('media', withdrawn)).size === 0);
  const violations = await run.find(settleMs);
  yield { name: 'nothing is violated', isFound: violations.length === 0, violations };
  for (const [invariant, plants] of Object.entries(planted))
    for (const [name, plant] of Object.entries(plants)) yield { name, ...(await detect(run, plant, invariant)) };
}

/** Plants a violation until exactly the expected invariant is reported. */
async function detect(run: Run, plant: Plant, expected: string) {
  for (let attempt = 1; ; attempt += 1) {
    const remove = await plant(run);
    const violations = await run.find(0, { again: true });
    await remove();
    const isFound = violations.length > 0 && violations.every(({ invariant }) => invariant === expected);
    if (isFound || attempt === maxAttempts) return { isFound, violations };
    await pause(1_000);
    // A request that failed because the machine is busy stays in the journal, and would be found again.
    await run.find(0);
  }
}

import { spawn } from 'node:child_process';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from 'local/databases';
import { sendToRedis } from '../faults/stores.ts';
import type { Invariant } from '../invariants/check.ts';
import type { Run } from '../run.ts';

/** Violates an invariant. Returns a function that removes the violation. */
type Plant = (run: Run) => Promise<() => unknown>;

/** Changes rows as the superuser, without triggers and constraints that would refuse it. */
const inDatabase =
  (database: Database, change: string, undo: string): Plant =>
  async ({ system }) => {
    await system.sql(database).unsafe(change);
    return () => system.sql(database).unsafe(undo);
  };

/** Removes the newest row of a table, and puts it back. */
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

/** Moves the object of the oldest row aside. */
const withoutObject =
  (kind: string): Plant =>
  async ({ system: { sql, storagePath, directory } }) => {
    const [row] = await sql('media')`
      select key from objects where status = 'ready' and kind = ${kind} order by uploaded_at limit 1`;
    const path = join(storagePath, String(row?.key).slice(-2), String(row?.key));
    const bytes = await readFile(path);
    await rename(path, join(directory, 'aside')).catch(() => rm(path));
    return () => writeFile(path, bytes);
  };

/** Adds what was sent to the journal, and removes it. */
const withoutEntry = <T>(entries: T[], entry: T) => entries.splice(entries.indexOf(entry), 1);

/** What is violated, and the invariant that is reported, and no other. */
export const planted: [name: string, expected: Invariant, plant: Plant][] = [
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
    async ({ system }) => {
      // The relay would publish it at once.
      await system.part('content').hold();
      await system.sql('content')`update outbox set published_at = null
        where ordinal = (select max(ordinal) from outbox)`;
      return system.part('content').release;
    },
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
    async ({ workload: { journal } }) => {
      const winner = journal.entries.find(({ write, status }) => write?.isContest && status === 200);
      if (!winner?.write) throw new Error('nothing was decided');
      const second = { ...winner, write: { ...winner.write, value: 'planted' }, endedAt: winner.startedAt };
      journal.entries.push(second);
      return () => withoutEntry(journal.entries, second);
    },
  ],
  [
    'calls are counted that no user has made',
    'quotas',
    async ({ system, workload }) => {
      const key = `lms:quota:{${workload.users.counted.id}}:${new Date().toISOString().slice(0, 7)}`;
      const count = (field: string) => sendToRedis(system, `HINCRBY ${key} ${field} 1000`);
      await count('calls');
      // The counts only grow.
      return () => count('refunded');
    },
  ],
  [
    'an object has no row',
    'objects',
    async ({ system }) => {
      const path = join(system.storagePath, 'planted');
      await writeFile(path, '');
      return () => rm(path);
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
    async ({ system, workload: { course, users, journal } }) => {
      const sql = system.sql('enrollment');
      await sql`insert into enrollments (id, user_id, subject_id, status, source)
        values ('planted', ${users.outsider.id}, ${course.subjectId}, 'APPROVED', 'ADMIN')`;
      const path = `/education/topics/${course.topicId}`;
      const entry = await journal.send({ user: users.outsider, path, needs: [], forbiddenFrom: 0 });
      return async () => {
        await sql`delete from enrollments where id = 'planted'`;
        withoutEntry(journal.entries, entry);
      };
    },
  ],
  [
    'a part fails that no fault has disturbed',
    'server errors',
    async ({ system, workload: { journal } }) => {
      // Needs nothing that an earlier fault has disturbed.
      const call = { path: '/education/levels?search=planted', needs: [] };
      const entry = await system.part('content').whileStopped(() => journal.send(call));
      return () => withoutEntry(journal.entries, entry);
    },
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

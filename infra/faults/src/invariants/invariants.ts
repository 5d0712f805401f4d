import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, databases } from 'local/databases';
import { connect } from 'nats';
import type { System } from '../system/system.ts';
import { type Check, checkImports, type Evidence, journalInvariants } from './journal-checks.ts';

type Rows = Map<string, string>;
type Query = [database: string, text: string];
type Source = Query | ((system: System) => Promise<Rows>);

const read = (system: System, source: Source): Promise<Rows> =>
  typeof source === 'function' ? source(system) : system.read(...source);

/** A template tag for the queries of a database. */
const from =
  (database: Database) =>
  (strings: TemplateStringsArray, ...values: string[]): Query => [database, String.raw({ raw: strings }, ...values)];
const [identity, content, media] = [from('identity'), from('content'), from('media')];
const enrollment = from('enrollment');

/** Each row of one source is in the other, with the same value. */
const isCopied =
  (name: string, original: Source, copy: Source): Check =>
  async ({ system }) => {
    const [originals, copies] = [await read(system, original), await read(system, copy)];
    return [...originals]
      .filter(([key, value]) => copies.get(key) !== value)
      .map(([key, value]) => `${name} ${key} is "${copies.get(key) ?? 'absent'}" instead of "${value}"`);
  };

/** The query, whose keys describe violations, has no rows. */
const hasNone =
  (query: Query): Check =>
  async ({ system }) => [...(await read(system, query)).keys()];

const unlessRestored =
  (names: readonly string[], find: Check): Check =>
  async (evidence) =>
    evidence.system.restores.some(({ database }) => names.includes(database)) ? [] : find(evidence);
// A restore of one of the two databases loses one half of each upload. The sweep removes the other half after a day.
const unlessHalved = (find: Check): Check => unlessRestored(['content', 'media'], find);

/** A projection equals what it copies. After a restore of the owner, it may contain more. */
const isProjected = (name: string, original: Query, copy: Query): Check[] => [
  isCopied(name, original, copy),
  unlessRestored([original[0]], isCopied(`${name} in the projection`, copy, original)),
];
const person = `select id as key, concat_ws(' | ', email, first_name, last_name) as value from`;
const node = `select id as key, concat_ws(' | ', kind, parent_id, name, position,`;

// Objects, their rows in media, and the entries in content that show them.
const documents = `select entry->>'id' as key from nodes, jsonb_array_elements(documents) entry where deleted_at is null`;
const video = `video->'video'`;
const shownVideos = `nodes where video is not null and deleted_at is null`;
const entries: Source = content`${documents} union select ${video}->>'id' from ${shownVideos}`;
const isStored = `status in ('ready', 'removing')`;
const readable = `objects where status = 'offered' or ${isStored}`;
const files: Source = async ({ context: { storagePath } }) => {
  const stored = await readdir(storagePath, { recursive: true, withFileTypes: true });
  return new Map(stored.filter((one) => one.isFile()).map(({ name }) => [basename(name, '.part'), 'present']));
};
const shownKeys: Source = async (system) => {
  const shown = await read(system, entries);
  const rows = await system.read('media', `select key, id as value from ${readable}`);
  return new Map([...rows].filter(([, id]) => shown.has(id)).map(([key]) => [key, 'present']));
};

// The state of videos and the number of their renditions.
const videosQuery = `select o.id as key, concat_ws(' ', p.status, count(r.*)) as value from objects o
  left join video_processing p on p.video_id = o.id left join renditions r on r.video_id = o.id
  where o.kind = 'video' and o.status = 'ready' group by o.id, p.status`;
const videosInContent = `select ${video}->>'id' as key,
  concat_ws(' ', ${video}->>'status', jsonb_array_length(${video}->'renditions')) as value from ${shownVideos}`;
const renditionKeys = `select o.key from objects o join objects video on video.id = o.derived_from
  where o.status = 'ready' and video.status = 'ready'`;

const caused = `select distinct concat_ws(' ', actor_id, substr(type, 9), aggregate_id, request_id, created_at) as key
  from outbox where actor_id is not null`;
const auditKey = `concat_ws(' ', actor_id, action, entity_id, request_id, created_at)`;

/** Each event was delivered to each consumer of the stream whose filter it matches. */
const checkDeliveries: Check = async (evidence) => {
  const connection = await connect({ servers: evidence.system.urlOf('nats') });
  const list = async () => (await connection.jetstreamManager()).consumers.list('LMS_EVENTS').next();
  const consumers = await list().finally(() => connection.close());
  const missing = consumers.map(({ config: { durable_name: consumer = '', filter_subject: filter = '' } }) => {
    // As in lms.content.topic.*.v1 and enrollment-content-outline.
    const [[, publisher = ''], [receiver = '']] = [filter.split('.'), consumer.split('-')];
    const isMatching = `'lms.' || type || '.v1' like '${filter.replaceAll('*', '%')}'`;
    const inbox = `select event_id as key from inbox where consumer = '${consumer}'`;
    const outbox = `select id as key from outbox where ${isMatching}`;
    return isCopied(`at ${consumer}, event`, [publisher, outbox], [receiver, inbox])(evidence);
  });
  return (await Promise.all(missing)).flat();
};
const lostEvents = `select type || ' ' || id || ' is not published' as key from outbox where published_at is null
  union select 'all events of ' || aggregate_id || ' are missing' from aggregate_versions
    where aggregate_id not in (select aggregate_id from outbox)
  union select consumer || ' has a dead letter: ' || event_id from dead_letters where replayed_at is null`;
// The versions of an epoch of the database, which begins with a restore, are those above a multiple of a million.
const gaps = `select 'the event before version ' || version || ' of ' || aggregate_id || ' is missing' as key
  from (select *, lag(version, 1, 0) over (partition by aggregate_id order by version) as previous from outbox) o
  where version <> previous + 1 and version % 1000000 <> 1
  union select 'event ' || version || ' of ' || aggregate_id || ' is missing' from aggregate_versions
    where (aggregate_id, version) not in (select aggregate_id, version from outbox)`;

const openTransactions = `select 'connection ' || pid || ' has an open transaction: ' || query as key from pg_stat_activity
  where datname = current_database() and state like 'idle in transaction%' and now() - state_change > interval '30 s'`;

const invariants = {
  ...journalInvariants,
  projections: [
    ...isProjected('user', identity`${person} users`, enrollment`${person} people`),
    ...isProjected(
      'node',
      content`${node} is_active, deleted_at is not null) as value from nodes`,
      enrollment`${node} is_live, is_deleted) as value from outline`,
    ),
    ...isProjected(
      'mentor',
      identity`select id as key, email as value from users where id in
        (select user_id from user_roles where role = 'MENTOR' and is_active)`,
      content`select user_id as key, email as value from mentors where is_mentor`,
    ),
    hasNone(enrollment`select 'enrollment ' || e.id || ' is open in a deleted subject' as key from enrollments e
        join outline o on o.id = subject_id where status in ('PENDING', 'APPROVED') and is_deleted`),
  ],
  'one active': [
    hasNone(identity`select count(*) || ' active roles ' || role || ' of ' || user_id as key from user_roles where is_active
          group by user_id, role having count(*) > 1
        union select count(*) || ' open applications of ' || user_id from mentor_applications where status = 'PENDING'
          group by user_id having count(*) > 1`),
    hasNone(enrollment`select count(*) || ' open enrollments of ' || user_id || ' in ' || subject_id as key from enrollments
        where status in ('PENDING', 'APPROVED') group by user_id, subject_id having count(*) > 1`),
  ],
  objects: [
    isCopied('object', shownKeys, files),
    unlessHalved(isCopied('row of the entry', entries, media`select id as key from ${readable}`)),
  ],
  events: [
    ...databases.map((name) => hasNone([name, lostEvents])),
    ...databases.map((name) => unlessRestored([name], hasNone([name, gaps]))),
    checkDeliveries,
  ],
  effects: [
    hasNone(identity`select 'the audit log has ' || count(*) || ' entries for ' || ${auditKey} as key from audit_entries
        where entity in ('level', 'grade', 'subject', 'topic', 'document', 'enrollment', 'import')
        group by ${auditKey} having count(*) > 1`),
    unlessRestored(
      databases,
      isCopied('audit entry', content`${caused}`, identity`select distinct ${auditKey} as key from audit_entries`),
    ),
  ],
  processes: [
    ({ system }: Evidence) => system.findLeftOver(),
    ...databases.map((name) => hasNone([name, openTransactions])),
  ],
};

/** What an upload, a removal or a job leaves when its process is killed is handled when its lease has ended. */
const leasedInvariants = {
  objects: [
    isCopied(
      'entry of the row',
      media`select id as key from objects where kind in ('video', 'document') and ${isStored}`,
      entries,
    ),
    isCopied('row of the object', files, media`select key from objects`),
    hasNone(media`select 'the ' || kind || ' ' || id || ' belongs to no video' as key from objects
        where kind in ('rendition', 'poster', 'sprite') and ${isStored}
          and not exists (select from renditions where object_id = objects.id)
          and not exists (select from video_processing where objects.id in (poster_id, sprite_id))`),
  ].map(unlessHalved),
  renditions: [
    hasNone(
      media`select 'the video ' || key || ' is ' || value as key from (${videosQuery}) v where value <> 'ready 1'`,
    ),
    isCopied('video', content`${videosInContent}`, media`${videosQuery}`),
    isCopied('object', media`${renditionKeys}`, files),
  ].map(unlessHalved),
  imports: [
    checkImports,
    hasNone(content`select count(*) || ' items of "' || description || '" were written without an import' as key from nodes
        where description like 'Import %.zip' and description not in (select file_name from imports) group by description`),
  ].map(unlessHalved),
};
const leaseMs = 90_000;

export type Invariant = keyof typeof invariants | keyof typeof leasedInvariants;

export interface Violation {
  invariant: string;
  text: string;
}

/** Checks all invariants, and again those that are violated until the time is over. */
export async function findViolations(evidence: Evidence, withinMs: number): Promise<Violation[]> {
  const startedAt = Date.now();
  const violations: Violation[] = [];
  async function checkAll(table: Record<string, Check[]>, limitMs: number) {
    for (const [invariant, checks] of Object.entries(table))
      for (const find of checks) {
        let texts = await find(evidence);
        for (; texts.length > 0 && Date.now() < startedAt + limitMs; texts = await find(evidence)) await pause(200);
        violations.push(...texts.map((text) => ({ invariant, text })));
      }
  }
  await checkAll(invariants, withinMs);
  await checkAll(leasedInvariants, withinMs > 0 ? Math.max(withinMs, leaseMs) : 0);
  return violations;
}

import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, databases } from 'local/databases';
import { connect } from 'nats';
import type { System } from '../system/system.ts';
import {
  type Check,
  checkAccess,
  checkContests,
  checkImports,
  checkQuotas,
  checkServerErrors,
  checkWrites,
  type Evidence,
} from './journal-checks.ts';

type Rows = Map<string, string>;
type Source = (system: System) => Promise<Rows>;

const from =
  (database: Database, query: string): Source =>
  ({ read }) =>
    read(database, query);

/** Each row of one source is in the other, with the same value. */
const isCopied =
  (name: string, original: Source, copy: Source): Check =>
  async ({ system }) => {
    const [originals, copies] = [await original(system), await copy(system)];
    return [...originals]
      .filter(([key, value]) => copies.get(key) !== value)
      .map(([key, value]) => `${name} ${key} is "${copies.get(key) ?? 'absent'}" instead of "${value}"`);
  };

/** The query, whose keys describe violations, has no rows. */
const hasNone =
  (database: Database, query: string): Check =>
  async ({ system: { read } }) => [...(await read(database, query)).keys()];

const unlessRestored =
  (names: readonly Database[], find: Check): Check =>
  async (evidence) =>
    evidence.system.restores.some(({ database }) => names.includes(database)) ? [] : find(evidence);

/** A projection equals what it copies. After a restore of the owner, it may contain more. */
const isProjected = (name: string, original: Source, copy: Source, owner: Database): Check[] => [
  isCopied(name, original, copy),
  unlessRestored([owner], isCopied(`${name} in the projection`, copy, original)),
];

// Copies and their owners.
const person = `select id as key, concat_ws(' | ', email, first_name, last_name) as value from`;
const users = from('identity', `${person} users`);
const people = from('enrollment', `${person} people`);
const node = `select id as key, concat_ws(' | ', kind, parent_id, name, position,`;
const nodes = from('content', `${node} is_active, deleted_at is not null) as value from nodes`);
const outline = from('enrollment', `${node} is_live, is_deleted) as value from outline`);
const mentorRoles = from(
  'identity',
  `select distinct u.id as key, email as value from users u join user_roles r on r.user_id = u.id
    where role = 'MENTOR' and r.is_active`,
);
const mentors = from('content', 'select user_id as key, email as value from mentors where is_mentor');

// Objects, their rows in media, and the entries in content that show them.
const documents = `select entry->>'id' as key from nodes, jsonb_array_elements(documents) entry where deleted_at is null`;
const video = `video->'video'`;
const shownVideos = `nodes where video is not null and deleted_at is null`;
const entries = from('content', `${documents} union select ${video}->>'id' from ${shownVideos}`);
const isStored = `status in ('ready', 'removing')`;
const storedRows = from('media', `select id as key from objects where kind in ('video', 'document') and ${isStored}`);
const readableRows = from('media', `select id as key from objects where status = 'offered' or ${isStored}`);
const keys = from('media', 'select key from objects');
const files: Source = async ({ context: { storagePath } }) => {
  const stored = await readdir(storagePath, { recursive: true, withFileTypes: true });
  return new Map(stored.filter((one) => one.isFile()).map(({ name }) => [basename(name, '.part'), 'present']));
};
const shownKeys: Source = async (system) => {
  const shown = await entries(system);
  const rows = await system.read(
    'media',
    `select key, id as value from objects where status = 'offered' or ${isStored}`,
  );
  return new Map([...rows].filter(([, id]) => shown.has(id)).map(([key]) => [key, 'present']));
};

// The state of videos and the number of their renditions.
const videosQuery = `select o.id as key, concat_ws(' ', p.status, count(r.*)) as value from objects o
  left join video_processing p on p.video_id = o.id left join renditions r on r.video_id = o.id
  where o.kind = 'video' and o.status = 'ready' group by o.id, p.status`;
const videos = from('media', videosQuery);
const videosInContent = from(
  'content',
  `select ${video}->>'id' as key,
    concat_ws(' ', ${video}->>'status', jsonb_array_length(${video}->'renditions')) as value from ${shownVideos}`,
);
const renditionKeys = from(
  'media',
  `select o.key from objects o join objects video on video.id = o.derived_from
    where o.status = 'ready' and video.status = 'ready'`,
);

// Changes by admins.
const caused = from(
  'content',
  `select distinct concat_ws(' ', actor_id, substr(type, 9), aggregate_id, request_id, created_at) as key
    from outbox where actor_id is not null`,
);
const auditKey = `concat_ws(' ', actor_id, action, entity_id, request_id, created_at)`;
const audited = from('identity', `select distinct ${auditKey} as key from audit_entries`);

/** Each event was delivered to each consumer of the stream whose filter it matches. */
const checkDeliveries: Check = async ({ system }) => {
  const outbox = `select id as key, 'lms.' || type || '.v1' as value from outbox`;
  const events = await Promise.all(databases.map((name) => system.read(name, outbox)));
  const connection = await connect({ servers: system.urlOf('nats') });
  const list = async () => (await connection.jetstreamManager()).consumers.list('LMS_EVENTS').next();
  const consumers = await list().finally(() => connection.close());
  const missing = consumers.map(async ({ config: { durable_name: consumer = '', filter_subject = '>' } }) => {
    const database = databases.find((name) => consumer.startsWith(`${name}-`));
    if (!database) return [];
    const inbox = await system.read(database, `select event_id as key from inbox where consumer = '${consumer}'`);
    const filter = new RegExp(`^${filter_subject.replaceAll('.', '\\.').replaceAll('*', '[^.]+').replace('>', '.+')}$`);
    return events
      .flatMap((all) => [...all])
      .filter(([id, subject]) => filter.test(subject) && !inbox.has(id))
      .map(([id, subject]) => `${consumer} has not received ${subject} ${id}`);
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

const checkProcesses: Check = async ({ system }) =>
  system.findLeftOver().map(({ pid, command }) => `${pid} ${command}`);
const openTransactions = `select 'connection ' || pid || ' has an open transaction: ' || query as key from pg_stat_activity
  where datname = current_database() and state like 'idle in transaction%' and now() - state_change > interval '30 s'`;

// A restore of one of the two databases loses one half of each upload. The sweep removes the other half after a day.
const unlessHalved = (find: Check): Check => unlessRestored(['content', 'media'], find);

const invariants = {
  'acknowledged writes': [checkWrites],
  projections: [
    ...isProjected('user', users, people, 'identity'),
    ...isProjected('node', nodes, outline, 'content'),
    ...isProjected('mentor', mentorRoles, mentors, 'identity'),
    hasNone(
      'enrollment',
      `select 'enrollment ' || e.id || ' is open in a deleted subject' as key from enrollments e
        join outline o on o.id = subject_id where status in ('PENDING', 'APPROVED') and is_deleted`,
    ),
  ],
  'one winner': [checkContests],
  'one active': [
    hasNone(
      'identity',
      `select count(*) || ' active roles ' || role || ' of ' || user_id as key from user_roles where is_active
          group by user_id, role having count(*) > 1
        union select count(*) || ' open applications of ' || user_id from mentor_applications where status = 'PENDING'
          group by user_id having count(*) > 1`,
    ),
    hasNone(
      'enrollment',
      `select count(*) || ' open enrollments of ' || user_id || ' in ' || subject_id as key from enrollments
        where status in ('PENDING', 'APPROVED') group by user_id, subject_id having count(*) > 1`,
    ),
  ],
  quotas: [checkQuotas],
  objects: [isCopied('object', shownKeys, files), unlessHalved(isCopied('row of the entry', entries, readableRows))],
  events: [
    ...databases.map((name) => hasNone(name, lostEvents)),
    ...databases.map((name) => unlessRestored([name], hasNone(name, gaps))),
    checkDeliveries,
  ],
  effects: [
    hasNone(
      'identity',
      `select 'the audit log has ' || count(*) || ' entries for ' || ${auditKey} as key from audit_entries
        where entity in ('level', 'grade', 'subject', 'topic', 'document', 'enrollment', 'import')
        group by ${auditKey} having count(*) > 1`,
    ),
    unlessRestored(databases, isCopied('audit entry', caused, audited)),
  ],
  access: [checkAccess],
  'server errors': [checkServerErrors],
  processes: [checkProcesses, ...databases.map((name) => hasNone(name, openTransactions))],
};

/** What an upload, a removal or a job leaves when its process is killed is handled when its lease has ended. */
const leasedInvariants = {
  objects: [
    isCopied('entry of the row', storedRows, entries),
    isCopied('row of the object', files, keys),
    hasNone(
      'media',
      `select 'the ' || kind || ' ' || id || ' belongs to no video' as key from objects
        where kind in ('rendition', 'poster', 'sprite') and ${isStored}
          and not exists (select from renditions where object_id = objects.id)
          and not exists (select from video_processing where objects.id in (poster_id, sprite_id))`,
    ),
  ].map(unlessHalved),
  renditions: [
    hasNone(
      'media',
      `select 'the video ' || key || ' is ' || value as key from (${videosQuery}) v where value <> 'ready 1'`,
    ),
    isCopied('video in content', videosInContent, videos),
    isCopied('object', renditionKeys, files),
  ].map(unlessHalved),
  imports: [
    checkImports,
    hasNone(
      'content',
      `select count(*) || ' items of "' || description || '" were written without an import' as key from nodes
        where description like 'Import %.zip' and description not in (select file_name from imports) group by description`,
    ),
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
  async function repeat(find: Check, invariant: string, limitMs: number): Promise<Violation[]> {
    const texts = await find(evidence);
    if (texts.length === 0 || Date.now() >= startedAt + limitMs) return texts.map((text) => ({ invariant, text }));
    await pause(200);
    return repeat(find, invariant, limitMs);
  }
  const repeatAll = (table: Record<string, Check[]>, limitMs: number) =>
    Object.entries(table).flatMap(([invariant, all]) => all.map((find) => repeat(find, invariant, limitMs)));
  const leasedMs = withinMs > 0 ? Math.max(withinMs, leaseMs) : 0;
  const violations = [...repeatAll(invariants, withinMs), ...repeatAll(leasedInvariants, leasedMs)];
  return (await Promise.all(violations)).flat();
}

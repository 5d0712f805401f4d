import { databases } from 'local/databases';
import { recoveryMs } from './evidence.ts';

/** Queries whose rows say in their `text` what violates an invariant, with the ids that are needed to find it. */
type Checks = Record<string, string[]>;

/** What an import leaves: a level, a grade, a subject, and three topics with one document each. */
const completeImport = 'completed, 6 items, 3 documents';

/** What writes create or change, as in the journal. The fact begins with the database that stores it. */
const facts = `
  select 'enrollment.note' as fact, content as key, 'present' as value from enrollment.notes
  union all select 'enrollment.request', message, 'present' from enrollment.enrollments
  union all select 'enrollment.status', id, status from enrollment.enrollments
  union all select 'content.node', description, 'present' from content.nodes where description not like 'Import %'
  union all select 'content.name', id, name from content.nodes where kind = 'topic'
  union all select 'content.document', entry->>'name', 'present' from content.nodes, jsonb_array_elements(documents) entry
  union all select 'content.film', id, video->'video'->>'fileName' from content.nodes where video is not null
  union all select 'content.import', file_name, replace(concat_ws(', ', string_agg(distinct status, ' and '),
      count(n.id) || ' items', sum(jsonb_array_length(n.documents)) || ' documents'), '${completeImport}', 'present')
    from content.imports left join content.nodes n on n.description = file_name group by file_name
  union all select 'identity.firstName', id, first_name from identity.users
  union all select 'identity.application', motivation, 'present' from identity.mentor_applications
  union all select 'identity.review', id, status from identity.mentor_applications`;

/**
 * Every acknowledged write is there, once. A write without a response may be there, once, and so may one that a restore has
 * lost. What the workload creates is absent before.
 */
const checkWrites = (condition: string) => `
  with expected as (
    select fact, key, array_agg(value) filter (where unknown or acknowledged and lost) as possible,
      coalesce(
        (array_agg(value order by ended desc) filter (where acknowledged and not lost))[1],
        min('absent') filter (where value = 'present')) as certain
    from requests where ${condition} group by fact, key),
  stored as (select fact, key, string_agg(value, ' and ') as value from (${facts}) f group by fact, key)
  select format('%s "%s" is %s instead of %s %s', fact, key, coalesce(value, 'absent'), certain, possible) as text
  from expected left join stored using (fact, key)
  where certain is not null and coalesce(value, 'absent') <> all (array_append(possible, certain))`;

/** Each row of one query is in the other. */
const isCopied = (name: string, original: string, copy: string) =>
  `select format('${name} is missing: %s', o) as text from ((${original}) except (${copy})) o`;

const unlessRestored = (names: readonly string[], query: string) =>
  `select text from (${query}) q where not exists (select from restores where database = any('{${names}}'))`;
// A restore of one of the two databases loses one half of each upload. The sweep removes the other half after a day.
const unlessHalved = (query: string) => unlessRestored(['content', 'media'], query);

/** A projection equals what it copies. After a restore of the owner, it may contain more. */
const isProjected = (owner: string, original: string, copy: string) => [
  isCopied(`in a projection of ${owner}, a row`, original, copy),
  unlessRestored([owner], isCopied(`in ${owner}, a row of a projection`, copy, original)),
];
const person = 'id, email, first_name, last_name';
const node = 'id, kind, parent_id, name, position';

/** The rows of a table that all databases have. */
const inAll = (table: string, columns: string) =>
  `(${databases.map((name) => `select '${name}' as database, ${columns} from ${name}.${table}`).join(' union all ')})`;
const outbox = inAll('outbox', 'id, type, aggregate_id, version, published_at');
const versions = inAll('aggregate_versions', 'aggregate_id, version');
const isWhole = 'not exists (select from restores r where r.database = o.database)';

// Objects, their rows in media, and the entries in content that show them.
const shownVideos = 'content.nodes where video is not null and deleted_at is null';
const video = `video->'video'`;
const entries = `select entry->>'id' as id from content.nodes, jsonb_array_elements(documents) entry where deleted_at is null
  union select ${video}->>'id' from ${shownVideos}`;
const shownKinds = `'video', 'document'`;
const isStored = `status in ('ready', 'removing')`;
const readable = `media.objects where (status = 'offered' or ${isStored})`;

// The state of videos and the number of their renditions.
const videos = `select o.id, p.status, count(r.*) from media.objects o
  left join media.video_processing p on p.video_id = o.id left join media.renditions r on r.video_id = o.id
  where o.kind = 'video' and o.status = 'ready' group by o.id, p.status`;
const videosInContent = `select ${video}->>'id', ${video}->>'status', jsonb_array_length(${video}->'renditions') from ${shownVideos}`;

const auditKey = 'actor_id, action, entity_id, request_id, created_at';

export const invariants = {
  'acknowledged writes': [checkWrites(`fact <> 'content.import'`)],
  // A part may refuse both: a service whose clock is ahead takes passports for expired.
  'one winner': [
    `select string_agg(request || ' ' || status, ', ') as text from requests where contest is not null group by contest
      having count(*) filter (where acknowledged) > 1 or bool_and(not acknowledged and not unknown and not disturbed)`,
  ],
  // Requests that were authenticated, not rejected by a limit and did not fail.
  quotas: [
    `select format('%s calls are counted instead of %s to %s', used, certain, possible) as text
      from usage, (select count(*) filter (where not unknown) as certain, count(*) as possible
        from requests where email like 'counted@%' and status not in (401, 429)) calls
      where used > possible or used < certain and not is_lost`,
  ],
  access: [
    `select format('%s received protected content: %s', email, request) as text
      from requests where started >= forbidden_from and is_disclosed`,
  ],
  // Services give up on each other after some time, so slow requests show that a part could not do its work.
  'server errors': [
    `select format('%s after %s ms %s: %s %s', to_timestamp(started / 1000), ended - started, request, status, response) as text
      from requests r where unknown and not disturbed and not exists (select from requests slow where slow.is_slow
        and r.ended >= slow.started and r.started <= slow.ended + ${recoveryMs} and r.needs && slow.needs)`,
  ],
  projections: [
    ...isProjected('identity', `select ${person} from identity.users`, `select ${person} from enrollment.people`),
    ...isProjected(
      'content',
      `select ${node}, is_active, deleted_at is not null from content.nodes`,
      `select ${node}, is_live, is_deleted from enrollment.outline`,
    ),
    ...isProjected(
      'identity',
      `select id, email from identity.users
        where id in (select user_id from identity.user_roles where role = 'MENTOR' and is_active)`,
      'select user_id, email from content.mentors where is_mentor',
    ),
    `select format('the enrollment %s is open in a deleted subject', e.id) as text from enrollment.enrollments e
      join enrollment.outline o on o.id = subject_id where status in ('PENDING', 'APPROVED') and is_deleted`,
  ],
  'one active': [
    `select format('%s active roles %s of %s', count(*), role, user_id) as text
        from identity.user_roles where is_active group by user_id, role having count(*) > 1
      union all select format('%s open applications of %s', count(*), user_id)
        from identity.mentor_applications where status = 'PENDING' group by user_id having count(*) > 1
      union all select format('%s open enrollments of %s in %s', count(*), user_id, subject_id)
        from enrollment.enrollments where status in ('PENDING', 'APPROVED') group by user_id, subject_id having count(*) > 1`,
  ],
  objects: [
    isCopied('an object', `select key from ${readable} and id in (${entries})`, 'select key from files'),
    unlessHalved(isCopied('the row of an entry', entries, `select id from ${readable}`)),
  ],
  events: [
    `select format('%s %s is not published', type, id) as text from ${outbox} o where published_at is null
      union all select format('%s has a dead letter: %s', consumer, event_id)
        from ${inAll('dead_letters', 'consumer, event_id, replayed_at')} d where replayed_at is null
      union all select format('all events of %s are missing', aggregate_id)
        from ${versions} v where aggregate_id not in (select aggregate_id from ${outbox} o)`,
    // The versions of an epoch of the database, which begins with a restore, are those above a multiple of a million.
    `select format('the event before version %s of %s is missing', version, aggregate_id) as text
        from (select *, lag(version, 1, 0) over (partition by aggregate_id order by version) as previous from ${outbox} all_events) o
        where version <> previous + 1 and version % 1000000 <> 1 and ${isWhole}
      union all select format('the event %s of %s is missing', version, aggregate_id) from ${versions} o
        where (aggregate_id, version) not in (select aggregate_id, version from ${outbox} events) and ${isWhole}`,
    // Each event was delivered to each consumer of the stream whose filter it matches, as lms.content.topic.*.v1.
    isCopied(
      'a delivery',
      `select consumer, id from consumers join ${outbox} o on 'lms.' || type || '.v1' like replace(filter, '*', '%')`,
      `select consumer, event_id from ${inAll('inbox', 'consumer, event_id')} i`,
    ),
  ],
  effects: [
    `select format('the audit log has %s entries for %s', count(*), (${auditKey})) as text from identity.audit_entries
      where entity in ('level', 'grade', 'subject', 'topic', 'document', 'enrollment', 'import')
      group by ${auditKey} having count(*) > 1`,
    unlessRestored(
      databases,
      isCopied(
        'an audit entry',
        `select actor_id, substr(type, 9), aggregate_id, request_id, created_at from content.outbox where actor_id is not null`,
        `select ${auditKey} from identity.audit_entries`,
      ),
    ),
  ],
  processes: [
    'select command as text from left_over',
    `select format('connection %s to %s has an open transaction: %s', pid, datname, query) as text from pg_stat_activity
      where state like 'idle in transaction%' and now() - state_change > interval '30 s'`,
  ],
} satisfies Checks;

/** What an upload, a removal or a job leaves when its process is killed is handled when its lease has ended. */
export const leasedInvariants = {
  objects: [
    isCopied(
      'the entry of a row',
      `select id from media.objects where kind in (${shownKinds}) and ${isStored}`,
      entries,
    ),
    isCopied('the row of an object', 'select key from files', 'select key from media.objects'),
    `select format('the %s %s belongs to no video', kind, id) as text from media.objects o
      where kind in ('rendition', 'poster', 'sprite') and ${isStored}
        and not exists (select from media.renditions where object_id = o.id)
        and not exists (select from media.video_processing where o.id in (poster_id, sprite_id))`,
  ].map(unlessHalved),
  renditions: [
    `select format('the video %s is %s %s', id, status, count) as text from (${videos}) v
      where (status, count) is distinct from ('ready', 1)`,
    isCopied('a video', videosInContent, videos),
    isCopied(
      'the object of a rendition',
      `select o.key from media.objects o join media.objects video on video.id = o.derived_from
        where o.status = 'ready' and video.status = 'ready'`,
      'select key from files',
    ),
  ].map(unlessHalved),
  imports: [
    checkWrites(`fact = 'content.import'`),
    `select format('%s items of "%s" were written without an import', count(*), description) as text from content.nodes
      where description like 'Import %.zip' and description not in (select file_name from content.imports) group by description`,
  ].map(unlessHalved),
} satisfies Checks;

export type Invariant = keyof typeof invariants | keyof typeof leasedInvariants;

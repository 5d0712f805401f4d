import { type Database, databases } from 'local/databases';
import { connect } from 'nats';
import type { System } from '../system/start-system.ts';
import { type Check, read } from './evidence.ts';

const stream = 'LMS_EVENTS';
/** The versions of an epoch of the database, which begins with a restore, are those above this multiple of it. */
const versionsPerEpoch = 1_000_000;

const silentSql = 'select aggregate_id as key from aggregate_versions except select aggregate_id from outbox';
const deadSql = `select event_id as key, string_agg(consumer, ' and ') as value from dead_letters
  where replayed_at is null group by 1`;
const auditedSql = `select concat_ws(' ', actor_id, action, entity_id, request_id, created_at) as key, count(*)::text as value
  from audit_entries where entity in ('level', 'grade', 'subject', 'topic', 'document', 'enrollment', 'import') group by 1`;
const causedSql = `select concat_ws(' ', actor_id, substr(type, 9), aggregate_id, request_id, created_at) as key
  from outbox where actor_id is not null`;

interface Event {
  id: string;
  subject: string;
  aggregateId: string;
  version: number;
  lastVersion: number | null;
  isPublished: boolean;
}

/** Every event is published and delivered to every consumer, and no event is missing. */
export const checkEvents: Check = async ({ system, restores }) => {
  const texts: string[] = [];
  const events = new Map<Database, Event[]>();
  for (const name of databases) {
    const all = await readEvents(system, name);
    events.set(name, all);
    for (const { id, subject } of all.filter(({ isPublished }) => !isPublished))
      texts.push(`${subject} ${id} is not published`);
    if (restores.every(({ database }) => database !== name)) texts.push(...findGaps(all));
    for (const id of (await read(system, name, silentSql)).keys()) texts.push(`all events of ${id} are missing`);
    for (const [id, consumer] of await read(system, name, deadSql)) texts.push(`${consumer} has a dead letter: ${id}`);
  }
  for (const { durable, filter } of await listConsumers(system)) {
    const database = databases.find((name) => durable.startsWith(`${name}-`));
    if (!database) continue;
    const received = await system.sql(database)`select event_id from inbox where consumer = ${durable}`;
    const ids = new Set(received.map((row) => String(row.event_id)));
    for (const { id, subject } of [...events.values()].flat())
      if (matches(filter, subject) && !ids.has(id)) texts.push(`${durable} has not received ${subject} ${id}`);
  }
  return texts;
};

/** An event has one entry in the audit log. */
export const checkEffects: Check = async ({ system, restores }) => {
  const audited = await read(system, 'identity', auditedSql);
  const texts = [...audited]
    .filter(([, times]) => times !== '1')
    .map(([key, times]) => `the audit log has ${times} entries for ${key}`);
  if (restores.length > 0) return texts;
  for (const key of (await read(system, 'content', causedSql)).keys())
    if (!audited.has(key)) texts.push(`the audit log has no entry for ${key}`);
  return texts;
};

const readEvents = ({ sql }: System, name: Database): Promise<Event[]> =>
  sql(name)<Event[]>`select o.id, 'lms.' || o.type || '.v1' as subject, o.aggregate_id as "aggregateId", o.version,
    v.version as "lastVersion", o.published_at is not null as "isPublished"
    from outbox o left join aggregate_versions v using (aggregate_id) order by o.aggregate_id, o.version`;

/** The versions of each aggregate follow one another, up to the last that was assigned. */
function findGaps(events: Event[]): string[] {
  return events.flatMap(({ aggregateId, version, lastVersion }, index) => {
    const [previous, next] = [events[index - 1], events[index + 1]];
    const expected = previous?.aggregateId === aggregateId ? previous.version + 1 : 1;
    const isNewEpoch = version % versionsPerEpoch === 1;
    if (version !== expected && !isNewEpoch) return [`event ${expected} of ${aggregateId} is missing`];
    const isLast = next?.aggregateId !== aggregateId;
    return isLast && version !== lastVersion ? [`event ${lastVersion} of ${aggregateId} is missing`] : [];
  });
}

async function listConsumers(system: System): Promise<{ durable: string; filter: string }[]> {
  const connection = await connect({ servers: system.part('nats').url });
  try {
    const manager = await connection.jetstreamManager();
    const infos = await manager.consumers.list(stream).next();
    return infos.flatMap(({ config }) =>
      config.durable_name ? [{ durable: config.durable_name, filter: config.filter_subject ?? '>' }] : [],
    );
  } finally {
    await connection.close();
  }
}

/** Whether a NATS subject matches a filter with wildcards. */
function matches(filter: string, subject: string): boolean {
  const [pattern, tokens] = [filter.split('.'), subject.split('.')];
  if (pattern.at(-1) !== '>' && pattern.length !== tokens.length) return false;
  return pattern.every((token, index) => token === '*' || token === '>' || token === tokens[index]);
}

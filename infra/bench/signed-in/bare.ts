// What we are compared with: the same work in one process, in Fastify and postgres.js as they come. The token is verified
// (from a cache), the user's role and enrollment are read in the statement of the request, events go into an outbox.
import etag from '@fastify/etag';
import jwt from '@fastify/jwt';
import Fastify from 'fastify';
import postgres, { type TransactionSql } from 'postgres';

const { PORT, DATABASE_URL = '', PUBLIC_KEY = '' } = process.env;
const sql = postgres(DATABASE_URL, { max: 10 });
const app = Fastify();
await app.register(jwt, { secret: { public: PUBLIC_KEY }, verify: { algorithms: ['RS256'], cache: 10_000 } });
await app.register(etag);

const text = { type: 'string' };
const nullable = { type: ['string', 'null'] };
const integer = { type: 'integer' };
const flag = { type: 'boolean' };
const number = { type: 'number' };
const object = (properties: Record<string, unknown>) => ({ type: 'object', properties });
const access = object({ granted: flag, reason: nullable });
const document = object({ id: text, name: text, url: text, size: integer });
const topic = object({
  ...{ id: text, subjectId: text, name: text, description: text, position: integer, isActive: flag },
  ...{ deletedAt: nullable, createdAt: text, updatedAt: text, content: nullable, videoUrl: nullable },
  ...{ documents: { type: 'array', items: document }, hasVideo: flag, documentCount: integer, access },
});
const pagination = object({
  page: integer,
  limit: integer,
  total: integer,
  pages: integer,
  hasNext: flag,
  hasPrev: flag,
});
const subject = object({ id: text, name: text, gradeId: text });
const enrollment = object({
  ...{ id: text, userId: text, subjectId: text, status: text, source: text, message: nullable, requestedAt: text },
  ...{ decidedAt: nullable, decidedBy: nullable, decisionReason: nullable, expiresAt: nullable, endedAt: nullable },
  ...{ endedBy: nullable, endReason: nullable, createdAt: text, updatedAt: text, subject },
});
const progress = object({
  ...{ topicId: text, completed: flag, completedAt: nullable, positionSeconds: number, furthestSeconds: number },
  ...{ durationSeconds: { type: ['number', 'null'] }, subjectId: text },
});
const subjectProgress = object({
  ...{ subjectId: text, total: integer, completed: integer, percent: integer, nextTopicId: nullable },
  topics: { type: 'array', items: progress },
});
const reply = (data: unknown, status = 200) => ({
  schema: { response: { [status]: object({ success: flag, data, message: text }) } },
});
const page = (items: unknown) => ({
  schema: { response: { 200: object({ success: flag, data: { type: 'array', items }, pagination }) } },
});

function refuse(statusCode: number): never {
  throw Object.assign(new Error('refused'), { statusCode });
}

interface Id {
  Params: { id: string };
}
type Row = Record<string, unknown>;

const iso = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
const toWire = (row: Row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, iso(value)]));

/** A page of at most 100 rows, each with the total. */
function toPage(rows: readonly Row[], toItem: (row: Row) => Row) {
  const total = Number(rows[0]?.total ?? 0);
  const pages = { pages: Math.ceil(total / 100), hasNext: total > 100, hasPrev: false };
  return { success: true, data: rows.map(toItem), pagination: { page: 1, limit: 100, total, ...pages } };
}

function toTopic({ documents, video, ...row }: Row) {
  const files = Array.isArray(documents) ? documents : [];
  return {
    ...{ ...toWire(row), deletedAt: null, documents: files, documentCount: files.length, hasVideo: video !== null },
    ...{ videoUrl: video, access: { granted: true, reason: null } },
  };
}

const columns = sql`t.id, t.subject_id as "subjectId", t.name, t.description, t.position, t.is_active as "isActive",
  t.created_at as "createdAt", t.updated_at as "updatedAt", t.content, t.video, t.documents`;
const enrollmentColumns = sql`e.id, e.user_id as "userId", e.subject_id as "subjectId", e.status, e.source, e.message,
  e.requested_at as "requestedAt", e.decided_at as "decidedAt", e.decided_by as "decidedBy", e.decision_reason as "decisionReason",
  e.expires_at as "expiresAt", e.ended_at as "endedAt", e.ended_by as "endedBy", e.end_reason as "endReason",
  e.created_at as "createdAt", e.updated_at as "updatedAt",
  json_build_object('id', s.id, 'name', s.name, 'gradeId', s.grade_id) as subject`;
const progressColumns = sql`topic_id as "topicId", completed_at is not null as completed, completed_at as "completedAt",
  position_seconds as "positionSeconds", furthest_seconds as "furthestSeconds", duration_seconds as "durationSeconds"`;

/** The caller, and whether they are enrolled in a subject. */
async function authorize(sub: string, role: string, subjectId: string | null) {
  const [user] = await sql`
    select u.id, u.roles, e.id is not null as enrolled from users u
    left join enrollments e on e.user_id = u.id and e.subject_id = ${subjectId} and e.status = 'APPROVED'
      and (e.expires_at is null or e.expires_at > now())
    where u.sub = ${sub} and u.status = 'ACTIVE'`;
  if (!user?.roles.includes(role) || (subjectId !== null && !user.enrolled)) return refuse(403);
  return String(user.id);
}

const appendEvent = (tx: TransactionSql, type: string, data: Row) =>
  tx`insert into outbox (type, data) values (${type}, ${tx.json(JSON.parse(JSON.stringify(data)))})`;

const subOf = async (request: { jwtVerify: () => Promise<unknown> }) => String(Object(await request.jwtVerify()).sub);

app.get<Id>('/api/education/subjects/:id/topics', page(topic), async (request) => {
  const { id } = request.params;
  await authorize(await subOf(request), 'LEARNER', id);
  const rows = await sql`
    select ${columns}, (count(*) over ())::int as total from topics t
    where t.subject_id = ${id} and t.is_live order by t.position, t.name, t.id limit 100`;
  return toPage(rows, toTopic);
});

app.get<Id>('/api/education/topics/:id', reply(topic), async (request) => {
  const sub = await subOf(request);
  const [row] = await sql`select ${columns} from topics t where t.id = ${request.params.id} and t.is_live`;
  if (!row) return refuse(404);
  await authorize(sub, 'LEARNER', row.subjectId);
  return { success: true, data: toTopic(row) };
});

app.get('/api/enrollment', page(enrollment), async (request) => {
  const userId = await authorize(await subOf(request), 'LEARNER', null);
  const rows = await sql`
    select ${enrollmentColumns}, (count(*) over ())::int as total
    from enrollments e join subjects s on s.id = e.subject_id where e.user_id = ${userId}
    order by e.requested_at desc, e.id desc limit 20`;
  return toPage(rows, toWire);
});

app.get<Id>('/api/learning/subjects/:id/progress', reply(subjectProgress), async (request) => {
  const subjectId = request.params.id;
  const userId = await authorize(await subOf(request), 'LEARNER', subjectId);
  const rows = await sql`
    select t.id as "topicId", p.completed_at as "completedAt", coalesce(p.position_seconds, 0) as "positionSeconds",
      coalesce(p.furthest_seconds, 0) as "furthestSeconds", p.duration_seconds as "durationSeconds"
    from topics t left join progress p on p.topic_id = t.id and p.user_id = ${userId}
    where t.subject_id = ${subjectId} and t.is_live order by t.position, t.name, t.id`;
  const topics: Row[] = rows.map((row) => ({ ...toWire(row), completed: row.completedAt !== null }));
  const completed = topics.filter((one) => one.completed).length;
  const percent = topics.length === 0 ? 0 : Math.floor((completed * 100) / topics.length);
  const next = topics.find((one) => !one.completed)?.topicId ?? null;
  return { success: true, data: { subjectId, total: topics.length, completed, percent, nextTopicId: next, topics } };
});

async function subjectOf(topicId: string): Promise<string> {
  const [row] = await sql`select subject_id from topics where id = ${topicId} and is_live`;
  return row ? row.subject_id : refuse(404);
}

app.put<Id & { Body: { positionSeconds: number; durationSeconds: number } }>(
  '/api/learning/topics/:id/position',
  reply(progress),
  async (request) => {
    const sub = await subOf(request);
    const { positionSeconds, durationSeconds } = request.body;
    const subjectId = await subjectOf(request.params.id);
    const userId = await authorize(sub, 'LEARNER', subjectId);
    const [row] = await sql`
      insert into progress (user_id, topic_id, position_seconds, furthest_seconds, duration_seconds)
      values (${userId}, ${request.params.id}, ${positionSeconds}, ${positionSeconds}, ${durationSeconds})
      on conflict (user_id, topic_id) do update set position_seconds = excluded.position_seconds,
        furthest_seconds = greatest(progress.furthest_seconds, excluded.position_seconds),
        duration_seconds = excluded.duration_seconds, updated_at = now()
      returning ${progressColumns}`;
    return { success: true, data: { ...toWire(row ?? {}), subjectId } };
  },
);

app.put<Id>('/api/learning/topics/:id/completion', reply(progress), async (request) => {
  const sub = await subOf(request);
  const topicId = request.params.id;
  const subjectId = await subjectOf(topicId);
  const userId = await authorize(sub, 'LEARNER', subjectId);
  const row = await sql.begin(async (tx) => {
    const [completed] = await tx`
      insert into progress (user_id, topic_id, completed_at) values (${userId}, ${topicId}, now())
      on conflict (user_id, topic_id) do update set completed_at = now() where progress.completed_at is null
      returning ${progressColumns}`;
    if (!completed)
      return (await tx`select ${progressColumns} from progress where user_id = ${userId} and topic_id = ${topicId}`)[0];
    await appendEvent(tx, 'completed', { userId, topicId, subjectId });
    return completed;
  });
  return { success: true, data: { ...toWire(row ?? {}), subjectId } };
});

app.post<{ Body: { subjectId: string } }>(
  '/api/enrollment/request',
  reply(enrollment, 201),
  async (request, response) => {
    const userId = await authorize(await subOf(request), 'LEARNER', null);
    const { subjectId } = request.body;
    const [live] = await sql`select 1 from subjects where id = ${subjectId} and is_live`;
    if (!live) return refuse(404);
    const row = await sql.begin(async (tx) => {
      const [requested] = await tx`
      with e as (
        insert into enrollments (id, user_id, subject_id, status, source)
        values (gen_random_uuid(), ${userId}, ${subjectId}, 'PENDING', 'REQUEST')
        on conflict do nothing returning *
      ) select ${enrollmentColumns} from e join subjects s on s.id = e.subject_id`;
      if (!requested) return refuse(409);
      await appendEvent(tx, 'requested', requested);
      return requested;
    });
    return response.code(201).send({ success: true, data: toWire(row) });
  },
);

app.put<Id>('/api/admin/enrollment/:id/approve', reply(enrollment), async (request) => {
  const adminId = await authorize(await subOf(request), 'ADMIN', null);
  const row = await sql.begin(async (tx) => {
    const [approved] = await tx`
      with e as (
        update enrollments set status = 'APPROVED', decided_at = now(), decided_by = ${adminId}, updated_at = now()
        where id = ${request.params.id} and status = 'PENDING' returning *
      ) select ${enrollmentColumns} from e join subjects s on s.id = e.subject_id`;
    if (!approved) return refuse(409);
    await appendEvent(tx, 'approved', approved);
    return approved;
  });
  return { success: true, data: toWire(row) };
});

await app.listen({ host: '127.0.0.1', port: Number(PORT) });

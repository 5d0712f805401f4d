// What we are compared with: the same work in one process, in Fastify and postgres.js as they come. The token is verified
// (from a cache), the user's role and enrollment are read in the statement of the request.
import etag from '@fastify/etag';
import jwt from '@fastify/jwt';
import Fastify from 'fastify';
import postgres from 'postgres';

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
const array = (items: unknown) => ({ type: 'array', items });
const topic = object({
  ...{ id: text, subjectId: text, name: text, description: text, position: integer, isActive: flag },
  ...{ deletedAt: nullable, createdAt: text, updatedAt: text, content: nullable, videoUrl: nullable },
  ...{ documents: array(object({ id: text, name: text, url: text, size: integer })), documentCount: integer },
  ...{ hasVideo: flag, access: object({ granted: flag, reason: nullable }) },
});
const pagination = object({
  ...{ page: integer, limit: integer, total: integer, pages: integer, hasNext: flag, hasPrev: flag },
});
const enrollment = object({
  ...{ id: text, userId: text, subjectId: text, status: text, source: text, message: nullable, requestedAt: text },
  ...{ decidedAt: nullable, decidedBy: nullable, decisionReason: nullable, expiresAt: nullable, endedAt: nullable },
  ...{ endedBy: nullable, endReason: nullable, createdAt: text, updatedAt: text },
  subject: object({ id: text, name: text, gradeId: text }),
});
const progress = object({
  ...{ topicId: text, completed: flag, completedAt: nullable, positionSeconds: number, furthestSeconds: number },
  ...{ durationSeconds: { type: ['number', 'null'] }, subjectId: text },
});
const reply = (data: unknown) => ({ schema: { response: { 200: object({ success: flag, data, pagination }) } } });

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

/** The learner who sends the request. @throws with 403 unless they are enrolled in the subject, if one is given */
async function authorize(request: { jwtVerify: () => Promise<unknown> }, subjectId: string | null): Promise<string> {
  const { sub } = Object(await request.jwtVerify());
  const [user] = await sql`
    select u.id, u.roles, e.id is not null as enrolled from users u
    left join enrollments e on e.user_id = u.id and e.subject_id = ${subjectId} and e.status = 'APPROVED'
      and (e.expires_at is null or e.expires_at > now())
    where u.sub = ${String(sub)} and u.status = 'ACTIVE'`;
  if (!user?.roles.includes('LEARNER') || (subjectId !== null && !user.enrolled)) return refuse(403);
  return String(user.id);
}

app.get<Id>('/api/education/subjects/:id/topics', reply(array(topic)), async (request) => {
  const { id } = request.params;
  await authorize(request, id);
  const rows = await sql`
    select ${columns}, (count(*) over ())::int as total from topics t
    where t.subject_id = ${id} and t.is_live order by t.position, t.name, t.id limit 100`;
  return toPage(rows, toTopic);
});

app.get<Id>('/api/education/topics/:id', reply(topic), async (request) => {
  const [row] = await sql`select ${columns} from topics t where t.id = ${request.params.id} and t.is_live`;
  if (!row) return refuse(404);
  await authorize(request, row.subjectId);
  return { success: true, data: toTopic(row) };
});

app.get('/api/enrollment', reply(array(enrollment)), async (request) => {
  const userId = await authorize(request, null);
  const rows = await sql`
    select e.id, e.user_id as "userId", e.subject_id as "subjectId", e.status, e.source, e.message,
      e.requested_at as "requestedAt", e.decided_at as "decidedAt", e.decided_by as "decidedBy",
      e.decision_reason as "decisionReason", e.expires_at as "expiresAt", e.ended_at as "endedAt", e.ended_by as "endedBy",
      e.end_reason as "endReason", e.created_at as "createdAt", e.updated_at as "updatedAt",
      json_build_object('id', s.id, 'name', s.name, 'gradeId', s.grade_id) as subject, (count(*) over ())::int as total
    from enrollments e join subjects s on s.id = e.subject_id where e.user_id = ${userId}
    order by e.requested_at desc, e.id desc limit 20`;
  return toPage(rows, toWire);
});

app.put<Id & { Body: { positionSeconds: number; durationSeconds: number } }>(
  '/api/learning/topics/:id/position',
  reply(progress),
  async (request) => {
    const { id } = request.params;
    const { positionSeconds, durationSeconds } = request.body;
    const [live] = await sql`select subject_id from topics where id = ${id} and is_live`;
    if (!live) return refuse(404);
    const userId = await authorize(request, live.subject_id);
    const [row] = await sql`
      insert into progress (user_id, topic_id, position_seconds, furthest_seconds, duration_seconds)
      values (${userId}, ${id}, ${positionSeconds}, ${positionSeconds}, ${durationSeconds})
      on conflict (user_id, topic_id) do update set position_seconds = excluded.position_seconds,
        furthest_seconds = greatest(progress.furthest_seconds, excluded.position_seconds),
        duration_seconds = excluded.duration_seconds, updated_at = now()
      returning topic_id as "topicId", completed_at is not null as completed, completed_at as "completedAt",
        position_seconds as "positionSeconds", furthest_seconds as "furthestSeconds", duration_seconds as "durationSeconds"`;
    return { success: true, data: { ...toWire(row ?? {}), subjectId: live.subject_id } };
  },
);

await app.listen({ host: '127.0.0.1', port: Number(PORT) });

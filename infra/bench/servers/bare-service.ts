// What signed-in is compared with: the same work in one process, in Fastify and postgres.js as they come, on the tables of
// content and enrollment. The token is verified (from a cache), and the user and the enrollment are read from the database.
import etag from '@fastify/etag';
import jwt from '@fastify/jwt';
import Fastify from 'fastify';
import postgres from 'postgres';

const { PORT, CONTENT_URL = '', ENROLLMENT_URL = '', PUBLIC_KEY = '' } = process.env;
const content = postgres(CONTENT_URL, { max: 10, transform: postgres.camel });
const enrollment = postgres(ENROLLMENT_URL, { max: 10, transform: postgres.camel });
const app = Fastify();
await app.register(jwt, { secret: { public: PUBLIC_KEY }, verify: { algorithms: ['RS256'], cache: 10_000 } });
await app.register(etag);

const errorOf = (statusCode: number) => Object.assign(new Error('refused'), { statusCode });

interface Id {
  Params: { id: string };
}

/** The learner who sends the request. @throws with 403 unless they are enrolled in the subject, if one is given */
async function authorize(request: { jwtVerify: () => Promise<unknown> }, subjectId: string | null): Promise<string> {
  const { email } = Object(await request.jwtVerify());
  const [user] = await enrollment`
    select u.id, e.id is not null as enrolled from people u
    left join enrollments e on e.user_id = u.id and e.subject_id = ${subjectId} and e.status = 'APPROVED'
      and (e.expires_at is null or e.expires_at > now())
    where u.email = ${String(email)} and not u.is_deleted`;
  if (!user || (subjectId !== null && !user.enrolled)) throw errorOf(403);
  return String(user.id);
}

/** A page of at most 100 rows, each with the total. */
function toPage(data: readonly Record<string, unknown>[]) {
  const total = Number(data[0]?.total ?? 0);
  const pages = { pages: Math.ceil(total / 100), hasNext: total > 100, hasPrev: false };
  return { success: true, data, pagination: { page: 1, limit: 100, total, ...pages } };
}

const topic = content`id, parent_id as subject_id, name, description, position, is_active, deleted_at, created_at, updated_at,
  content, video, documents, true as granted`;

app.get<Id>('/api/education/subjects/:id/topics', async (request) => {
  const { id } = request.params;
  await authorize(request, id);
  return toPage(
    await content`
    select ${topic}, (count(*) over ())::int as total from nodes
    where parent_id = ${id} and is_live order by position, name, id limit 100`,
  );
});

app.get<Id>('/api/education/topics/:id', async (request) => {
  const [data] = await content`select ${topic} from nodes where id = ${request.params.id} and is_live`;
  if (!data) throw errorOf(404);
  await authorize(request, data.subjectId);
  return { success: true, data };
});

app.get('/api/enrollment', async (request) => {
  const userId = await authorize(request, null);
  return toPage(
    await enrollment`
    select e.*, json_build_object('id', s.id, 'name', s.name, 'gradeId', s.parent_id) as subject,
      (count(*) over ())::int as total
    from enrollments e join outline s on s.id = e.subject_id where e.user_id = ${userId}
    order by e.requested_at desc, e.id desc limit 20`,
  );
});

app.put<Id & { Body: { positionSeconds: number; durationSeconds: number } }>(
  '/api/learning/topics/:id/position',
  async (request) => {
    const { id } = request.params;
    const { positionSeconds, durationSeconds } = request.body;
    const [live] = await enrollment`select parent_id as subject_id from outline where id = ${id} and is_live`;
    if (!live) throw errorOf(404);
    const userId = await authorize(request, live.subjectId);
    const [row] = await enrollment`
      insert into topic_progress (id, user_id, topic_id, position_seconds, furthest_seconds, duration_seconds)
      values (gen_random_uuid(), ${userId}, ${id}, ${positionSeconds}, ${positionSeconds}, ${durationSeconds})
      on conflict (user_id, topic_id) do update set position_seconds = excluded.position_seconds,
        furthest_seconds = greatest(topic_progress.furthest_seconds, excluded.position_seconds),
        duration_seconds = excluded.duration_seconds, updated_at = now()
      returning *`;
    return { success: true, data: { ...row, completed: row?.completedAt !== null, subjectId: live.subjectId } };
  },
);

await app.listen({ host: '127.0.0.1', port: Number(PORT) });

// The baselines, in Fastify and its plugins as they come, without checks, limits or a log. Which of them a process serves
// depends on its environment.
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import etag from '@fastify/etag';
import proxy from '@fastify/http-proxy';
import jwt from '@fastify/jwt';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import postgres from 'postgres';

const { PORT, UPSTREAM, READ, REFUSAL, FILE, CONTENT_URL = '', ENROLLMENT_URL = '', PUBLIC_KEY } = process.env;
const app = Fastify();
if (UPSTREAM) await app.register(proxy, { upstream: UPSTREAM, undici: { connections: 128, pipelining: 1 } });
if (READ) await copyResponse('/read', READ);
if (REFUSAL) await copyResponse('/refusal', REFUSAL);
if (FILE) await app.register(storeFile, { file: FILE });
if (PUBLIC_KEY) await app.register(learning, { publicKey: PUBLIC_KEY });
await app.listen({ host: '127.0.0.1', port: Number(PORT) });

/** Responds from memory with what another server has responded: what is possible with Fastify at all. */
async function copyResponse(path: string, source: string) {
  const response = await fetch(source);
  const body = await response.text();
  const ofConnection = ['connection', 'date', 'keep-alive', 'transfer-encoding'];
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !ofConnection.includes(name)));
  app.get(path, (_request, reply) => reply.code(response.status).headers(headers).send(body));
}

/** A file that is uploaded and downloaded. */
async function storeFile(app: FastifyInstance, { file }: { file: string }) {
  await app.register(multipart, { limits: { fileSize: Number.MAX_SAFE_INTEGER } });
  app.put('/api/*', async (request) => {
    const part = await request.file();
    if (part) await pipeline(part.file, createWriteStream(file));
    return { success: true };
  });
  app.get('/api/*', (_request, reply) => reply.type('video/mp4').send(createReadStream(file)));
}

/**
 * The work of content and enrollment in one process, on their tables. The token is verified (from a cache), and the user and
 * the enrollment are read from the database.
 */
async function learning(app: FastifyInstance, { publicKey }: { publicKey: string }) {
  const content = postgres(CONTENT_URL, { max: 10, transform: postgres.camel });
  const enrollment = postgres(ENROLLMENT_URL, { max: 10, transform: postgres.camel });
  await app.register(jwt, { secret: { public: publicKey }, verify: { algorithms: ['RS256'], cache: 10_000 } });
  await app.register(etag);

  /** The learner who sends the request. @throws with 403 unless they are enrolled in the subject, if one is given */
  async function authorize(request: FastifyRequest, subjectId: string | null): Promise<string> {
    const { email } = Object(await request.jwtVerify());
    const [user] = await enrollment`
      select u.id, e.id is not null as enrolled from people u
      left join enrollments e on e.user_id = u.id and e.subject_id = ${subjectId} and e.status = 'APPROVED'
        and (e.expires_at is null or e.expires_at > now())
      where u.email = ${String(email)} and not u.is_deleted`;
    if (!user || (subjectId !== null && !user.enrolled)) throw Object.assign(new Error('refused'), { statusCode: 403 });
    return String(user.id);
  }
  /** A page of at most 100 rows, each with the total. */
  function toPage(data: readonly Record<string, unknown>[]) {
    const pagination = { page: 1, limit: 100, total: data[0]?.total ?? 0, pages: 1, hasNext: false, hasPrev: false };
    return { success: true, data, pagination };
  }
  const topic = content`id, parent_id as subject_id, name, description, position, is_active, deleted_at, created_at,
    updated_at, content, video, documents, true as granted`;
  interface Id {
    Params: { id: string };
  }

  app.get<Id>('/api/education/subjects/:id/topics', async (request) => {
    await authorize(request, request.params.id);
    return toPage(
      await content`
      select ${topic}, (count(*) over ())::int as total from nodes
      where parent_id = ${request.params.id} and is_live order by position, name, id limit 100`,
    );
  });

  app.get<Id>('/api/education/topics/:id', async (request) => {
    const [data] = await content`select ${topic} from nodes where id = ${request.params.id} and is_live`;
    await authorize(request, data?.subjectId);
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

  interface Position extends Id {
    Body: { positionSeconds: number; durationSeconds: number };
  }
  app.put<Position>('/api/learning/topics/:id/position', async (request) => {
    const { positionSeconds: position, durationSeconds: duration } = request.body;
    const [topic] = await enrollment`select parent_id from outline where id = ${request.params.id} and is_live`;
    const userId = await authorize(request, topic?.parentId);
    const [row] = await enrollment`
      insert into topic_progress (id, user_id, topic_id, position_seconds, furthest_seconds, duration_seconds)
      values (gen_random_uuid(), ${userId}, ${request.params.id}, ${position}, ${position}, ${duration})
      on conflict (user_id, topic_id) do update set position_seconds = excluded.position_seconds,
        furthest_seconds = greatest(topic_progress.furthest_seconds, excluded.position_seconds),
        duration_seconds = excluded.duration_seconds, updated_at = now()
      returning *`;
    return { success: true, data: { ...row, completed: row?.completedAt !== null, subjectId: topic?.parentId } };
  });
}

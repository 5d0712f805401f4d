import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { connect } from 'nats';
import postgres from 'postgres';
import t from 'tap';
import {
  adminToken,
  type Call,
  call,
  createCourse,
  createUser,
  dataDirectory,
  providerUrl,
  readStackFile,
  tokenOf,
} from './system.ts';

type Search = (texts: string[]) => Promise<string[]>;

const urlOf = async (part: string): Promise<string> => {
  const entry = (await readStackFile())[part];
  if (!entry) throw new Error(`${part} is not in stack.json`);
  return entry.url;
};

const isIn = (content: string, texts: string[]) => texts.some((text) => content.toLowerCase().includes(text));

/** The rows of all tables that contain one of the texts. */
const searchDatabases: Search = async (texts) => {
  const found: string[] = [];
  for (const name of ['identity', 'content', 'media', 'enrollment']) {
    const sql = postgres(Object.assign(new URL(await urlOf('postgres')), { pathname: name }).href, { max: 1 });
    const tables = await sql`select table_name as table from information_schema.tables where table_schema = 'public'`;
    for (const { table } of tables) {
      const rows =
        await sql`select t::text as row from ${sql(table)} t where t::text ilike any(${texts.map((text) => `%${text}%`)})`;
      found.push(...rows.map(({ row }) => `${name}.${table} ${row}`));
    }
    await sql.end();
  }
  return found;
};

/** Erased messages are missing. Without this distinction, a timeout would look like an erasure. */
function unlessMissing(error: unknown) {
  if (Object(error).api_error?.code === 404) return undefined;
  throw error;
}

const searchStreams: Search = async (texts) => {
  const connection = await connect({ servers: await urlOf('nats') });
  const manager = await connection.jetstreamManager({ timeout: 30_000 });
  const found: string[] = [];
  for await (const { config, state } of manager.streams.list()) {
    const count = state.messages > 0 ? state.last_seq - state.first_seq + 1 : 0;
    const sequences = Array.from({ length: count }, (_, index) => state.first_seq + index);
    while (sequences.length > 0)
      await Promise.all(
        sequences.splice(0, 200).map(async (seq) => {
          const message = await manager.streams.getMessage(config.name, { seq }).catch(unlessMissing);
          const content = `${message?.subject} ${[...(message?.header ?? [])].join()} ${message?.string()}`;
          if (message && isIn(content, texts)) found.push(`${config.name} ${seq} ${content}`);
        }),
      );
  }
  await connection.close();
  return found;
};

/** What NATS has on disk: an erased message is overwritten. */
const searchFiles: Search = async (texts) => {
  const folder = join(dataDirectory, 'nats');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => isIn(readFileSync(path, 'latin1'), texts));
};

const searchRedis: Search = async (texts) => {
  const redis = new Redis(await urlOf('redis'));
  const found: string[] = [];
  for (const key of await redis.keys('*')) {
    const type = await redis.type(key);
    const value = type === 'hash' ? JSON.stringify(await redis.hgetall(key)) : await redis.get(key).catch(() => type);
    if (isIn(`${key} ${value}`, texts)) found.push(`${key} ${value}`);
  }
  redis.disconnect();
  return found;
};

async function succeed(path: string, options: Call) {
  const response = await call(path, options);
  if (response.status > 299) throw new Error(`${path}: ${response.status} ${response.bytes}`);
  return response.body.data;
}

async function until(holds: () => Promise<boolean>) {
  const deadline = Date.now() + 60_000;
  while (!(await holds()) && Date.now() < deadline) await pause(100);
}

t.test('no database, stream or cache contains the personal data of an anonymized user', async (t) => {
  const admin = await adminToken();
  const [person, other] = [await createUser('saffron'), await createUser('another')];
  let { token } = person;
  const key = randomUUID();
  const send = (path: string, json: object, method = 'POST') =>
    succeed(path, { method, token, json, headers: { 'idempotency-key': 'erasure' } });
  const decide = (path: string, json: object, method = 'PUT') =>
    succeed(path, { method, token: admin, json, headers: { 'idempotency-key': key } });

  const { id } = await succeed('/api/auth/profile', { token });
  await send('/api/auth/profile', { lastName: 'Nightingale' }, 'PUT');
  await send('/api/mentor/apply', { motivation: `I, Saffron Nightingale, ${person.email}` });
  const [{ id: applicationId }] = await succeed('/api/mentor/application', { token });
  await decide(`/api/admin/mentor/${applicationId}/approve`, { note: 'Saffron is nice' });
  await decide(`/api/users/${id}`, { firstName: 'Marigold', statusReason: 'Miss Nightingale' });

  const course = await createCourse(admin, other);
  const enrollment = await send('/api/enrollment/request', { subjectId: course.subject.id, message: 'Nightingale' });
  await decide(`/api/admin/enrollment/${enrollment.id}/approve`, {});
  await send(`/api/learning/topics/${course.topic.id}/notes`, { content: 'by Saffron' });

  // A mentor of a subject, of a deleted one, and of one that has another mentor now.
  const mentor = { mentorId: person.identityProviderId, mentorEmail: person.email };
  const subjectPath = (subject: { id: string }) => `/api/admin/education/subjects/${subject.id}`;
  for (const name of ['Present', 'Deleted', 'Former']) {
    const response = await call('/api/admin/education/subjects', {
      ...{ method: 'POST', token: admin, headers: { 'idempotency-key': `${name} ${key}` } },
      json: { name, description: 'd', gradeId: course.grade.id, ...mentor },
    });
    t.equal(response.status, 201);
    if (name === 'Deleted') await decide(subjectPath(response.body.data), {}, 'DELETE');
    const another = { mentorId: other.identityProviderId, mentorEmail: other.email };
    if (name === 'Former') await decide(`${subjectPath(response.body.data)}/mentor`, another);
  }

  const email = `later-${person.email}`;
  const changed = await fetch(new URL(`/users/${person.identityProviderId}`, providerUrl), {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  t.equal(changed.status, 200);
  token = await tokenOf(email);
  await until(async () => (await call('/api/auth/profile', { token })).body?.data?.email === email);

  const texts = [person.identityProviderId, person.email, email, 'nightingale', 'saffron', 'marigold'].map((text) =>
    text.toLowerCase(),
  );
  const searches = { searchDatabases, searchStreams, searchFiles, searchRedis };
  for (const [search, least] of [
    [searchDatabases, 11],
    [searchStreams, 6],
    [searchFiles, 1],
  ] as const) {
    await until(async () => (await search(texts)).length >= least);
    t.ok((await search(texts)).length >= least, 'it was stored before');
  }

  await decide(`/api/users/${id}/anonymize`, {}, 'POST');
  for (const [name, search] of Object.entries(searches)) {
    await until(async () => (await search(texts)).length === 0);
    t.same(await search(texts), [], name);
  }
  const roster = await succeed(`/api/mentor/subjects/${course.subject.id}/learners`, { token: admin });
  t.equal(roster[0]?.user.id ?? id, id, 'the history stays under the id');
});

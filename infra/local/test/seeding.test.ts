import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import t, { type Test } from 'tap';
import { readStack, runProgram, until } from './programs/run-program.ts';

const school = { levels: 2, grades: 4, subjects: 8, topics: 24 };

const startSystem = (t: Test, directory: string) =>
  runProgram(t, 'infra/local/src/start.ts', [], {
    DATA_DIR: directory,
    GATEWAY_PORT: '0',
    IDP_PORT: '0',
    LOG_LEVEL: 'warn',
  });

/** Lets the import of the sample content create nothing until it is closed. */
async function holdUpSeeding(directory: string) {
  const server = readStack(directory).postgres?.url ?? '';
  const sql = postgres(Object.assign(new URL(server), { pathname: 'content' }).href, { max: 1 });
  const hasTable = () =>
    sql`select to_regclass('nodes') is not null as exists`.then(
      ([row]) => row?.exists === true,
      () => false,
    );
  await until(hasTable, 120_000);
  await sql`select pg_advisory_lock(1)`;
  await sql.unsafe(`
    create function hold_up() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock(1);
      return new;
    end $$;
    create trigger hold_up before insert on nodes for each row execute function hold_up()`);
  const isHeldUp = async () =>
    (
      await sql`select from pg_locks join pg_database on pg_database.oid = database
        where datname = 'content' and locktype = 'advisory' and objid = 1 and not granted`
    ).length > 0;
  await until(isHeldUp, 120_000);
  return { close: () => sql.end({ timeout: 0 }) };
}

async function getData(url: string, token?: string) {
  const response = await fetch(url, token ? { headers: { authorization: `Bearer ${token}` } } : {});
  return JSON.parse(await response.text()).data;
}

async function signIn(provider: string, username: string): Promise<string> {
  const form = { grant_type: 'password', client_id: 'lms-local', username, password: 'password' };
  const response = await fetch(`${provider}/token`, { method: 'POST', body: new URLSearchParams(form) });
  return JSON.parse(await response.text()).access_token;
}

t.test('the gateway starts when the seeding is complete, also after kill -9 interrupted it', async (t) => {
  const directory = t.testdir();
  const killed = startSystem(t, directory);
  const progress = join(directory, 'seed.json');
  await until(() => existsSync(join(directory, 'stack.json')) && readStack(directory).postgres !== undefined, 120_000);
  const { close } = await holdUpSeeding(directory);
  t.match(readFileSync(progress, 'utf8'), 'begun');
  t.notOk(readStack(directory).gateway, 'the gateway has not been started');
  killed.kill('SIGKILL');
  await killed.ended;
  await close();

  const system = startSystem(t, directory);
  const isReady = async () => {
    if (!existsSync(join(directory, 'stack.json'))) return false;
    const { gateway } = readStack(directory);
    return gateway !== undefined && (await fetch(`${gateway.url}/readyz`).catch(() => undefined))?.status === 200;
  };
  await until(isReady, 120_000);
  const { gateway, identityProvider } = readStack(directory);
  const api = `${gateway?.url}/api`;
  const levels = await getData(`${api}/education/tree`);
  const grades = levels.flatMap((level: { grades: unknown[] }) => level.grades);
  const subjects = grades.flatMap((grade: { subjects: unknown[] }) => grade.subjects);
  const topics = subjects.reduce((sum: number, { topicCount }: { topicCount: number }) => sum + topicCount, 0);
  t.same({ levels: levels.length, grades: grades.length, subjects: subjects.length, topics }, school);

  const token = await signIn(identityProvider?.url ?? '', 'learner@lms.test');
  const enrollments = await getData(`${api}/enrollment`, token);
  t.match(enrollments, [{ status: 'APPROVED' }]);
  t.equal(enrollments.length, 1);
  const [first] = await getData(`${api}/education/subjects/${enrollments[0].subjectId}/topics`, token);
  t.match(first, { name: 'Whole numbers', hasVideo: true, documentCount: 1 });

  system.kill('SIGTERM');
  t.equal(await system.ended, 0);
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@lms/testing/wait-for';
import postgres from 'postgres';
import type { Test } from 'tap';
import { type Program, readStack } from '../../local/test/programs/run-program.ts';

const school = { levels: 2, grades: 4, subjects: 8, topics: 24 };

/** Waits until a new system imports its sample content, and kills it before the first row. */
export async function killWhileSeeding(t: Test, directory: string, program: Program): Promise<void> {
  const exited = program.ended.then(() => {
    throw new Error(`the system exited: ${program.output()}`);
  });
  // It is killed below.
  exited.catch(() => undefined);
  const { close } = await Promise.race([holdUpSeeding(directory), exited]);
  t.match(readFileSync(join(directory, 'seed.json'), 'utf8'), 'begun');
  t.notOk(readStack(directory).gateway, 'the gateway has not been started');
  program.kill('SIGKILL');
  await program.ended;
  await close();
}

/** Lets the import of the sample content create nothing until it is closed. */
async function holdUpSeeding(directory: string) {
  const hasPostgres = () => existsSync(join(directory, 'stack.json')) && readStack(directory).postgres !== undefined;
  await waitFor(hasPostgres, { timeoutMs: 120_000, until: 'PostgreSQL' });
  const server = readStack(directory).postgres?.url ?? '';
  const sql = postgres(Object.assign(new URL(server), { pathname: 'content' }).href, { max: 1 });
  const hasTable = () =>
    sql`select to_regclass('nodes') is not null as exists`.then(
      ([row]) => row?.exists === true,
      () => false,
    );
  await waitFor(hasTable, { timeoutMs: 120_000, until: 'the table of the curriculum' });
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
  await waitFor(isHeldUp, { timeoutMs: 120_000, until: 'the first row' });
  return { close: () => sql.end({ timeout: 0 }) };
}

async function getData(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers });
  return JSON.parse(await response.text()).data;
}

/** Checks that the sample content exists once, as a learner sees it. */
export async function checkSampleContent(t: Test, gateway: string, learner: Record<string, string>): Promise<void> {
  const api = `${gateway}/api`;
  const levels = await getData(`${api}/education/tree`);
  const grades = levels.flatMap((level: { grades: unknown[] }) => level.grades);
  const subjects = grades.flatMap((grade: { subjects: unknown[] }) => grade.subjects);
  const topics = subjects.reduce((sum: number, { topicCount }: { topicCount: number }) => sum + topicCount, 0);
  t.same({ levels: levels.length, grades: grades.length, subjects: subjects.length, topics }, school);

  const enrollments = await getData(`${api}/enrollment`, learner);
  t.match(enrollments, [{ status: 'APPROVED' }]);
  t.equal(enrollments.length, 1);
  const [first] = await getData(`${api}/education/subjects/${enrollments[0].subjectId}/topics`, learner);
  t.match(first, { name: 'Whole numbers', hasVideo: true, documentCount: 1 });
}

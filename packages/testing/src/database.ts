import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type Database } from '@lms/database/connect';
import { migrateDatabase } from '@lms/database/migrate-database';
import { createId } from '@paralleldrive/cuid2';
import postgres from 'postgres';
import root, { type Test } from 'tap';
import { waitFor } from './wait-for.ts';

const templateLock = 4_217_061_907;

const superuserUrl = process.env.TEST_POSTGRES_URL ?? '';
// Thrown here and not in a test: servers that it has started would keep the process alive until its timeout.
if (!superuserUrl) throw new Error('TEST_POSTGRES_URL is not set; run the file with: npm test -- <file>');

// Shared by all tests of a file.
const admin = postgres(superuserUrl, { max: 1, onnotice: () => undefined });
root.teardown(() => admin.end());
const templates = new Map<string, Promise<unknown>>();

/**
 * Creates a database for a test and drops it at the end. It is a file copy of a template with the migrations, which takes
 * PostgreSQL 14 ms of CPU time including the drop. Emptying a database for the next test takes as long.
 */
export async function testDatabase(t: Test, migrationsFolder: string): Promise<Database & { url: string }> {
  const template = await templateOf(migrationsFolder);
  // Tests of this process share a session, so that its lock does not keep two of them from creating the same one.
  const created = templates.get(template) ?? createTemplate(template, migrationsFolder);
  templates.set(template, created);
  await created;
  const name = `test_${createId()}`;
  await admin`create database ${admin(name)} template ${admin(template)} strategy file_copy`;
  const url = urlOf(name);
  // On a busy machine, PostgreSQL takes seconds for a new connection.
  const database = connect(url, { acquireTimeoutSeconds: 30 });
  t.teardown(async () => {
    await database.close();
    await admin`drop database ${admin(name)} with (force)`;
  });
  return { ...database, url };
}

/**
 * Deletes all rows, for tests that share a database one after the other: a fraction of the time of a new database with the
 * service that uses it. Nothing else may use the database at the same time, as the jobs of a running process do: both could
 * wait for each other's locks.
 */
export const emptyDatabase = ({ sql }: Pick<Database, 'sql'>) => sql`
  do $$ declare name regclass; begin
    set local session_replication_role = replica;
    for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('delete from %s', name);
    end loop;
  end $$`;

/** Waits until this many sessions of the database wait for a lock. */
export const untilLocked = ({ sql }: Pick<Database, 'sql'>, count = 1) =>
  waitFor(
    async () => {
      const waiting = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.length === count;
    },
    { until: `${count} sessions to wait for a lock` },
  );

/** The name of the template database for these migrations. */
async function templateOf(migrationsFolder: string): Promise<string> {
  const journal = await readFile(join(migrationsFolder, 'meta/_journal.json'), 'utf8');
  const entries: { tag: string }[] = JSON.parse(journal).entries;
  const hash = createHash('sha256').update(journal);
  for (const { tag } of entries) hash.update(await readFile(join(migrationsFolder, `${tag}.sql`)));
  return `template_${hash.digest('hex').slice(0, 16)}`;
}

/** Creates a template database if it does not exist. */
async function createTemplate(template: string, migrationsFolder: string) {
  await admin`select pg_advisory_lock(${templateLock})`;
  try {
    const [existing] = await admin`select 1 from pg_database where datname = ${template}`;
    if (!existing) {
      // Created under another name first, so that a killed test leaves no incomplete template.
      const draft = `draft_${createId()}`;
      await admin`create database ${admin(draft)}`;
      await migrateDatabase(urlOf(draft), migrationsFolder);
      await admin`alter database ${admin(draft)} rename to ${admin(template)}`;
    }
  } finally {
    await admin`select pg_advisory_unlock(${templateLock})`;
  }
}

function urlOf(database: string): string {
  const url = new URL(superuserUrl);
  url.pathname = `/${database}`;
  return url.href;
}

import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { databases } from 'local/databases';
import { connect } from 'nats';
import type { System } from '../system/system.ts';
import type { Workload } from '../workload/workload.ts';

/** Contract: after a dependency returns, the service is back within this time. */
export const recoveryMs = 10_000;

// Unix times are in milliseconds. A request is disturbed if a part that it needs is, or was until shortly before.
const tables = `
  create table journal (request text, email text, status int, response text, started float8, ended float8, is_slow boolean,
    needs text[], fact text, key text, value text, contest text, forbidden_from float8, is_disclosed boolean);
  create table outages (breaks text[], since float8, until float8);
  create table restores (database text, since float8, until float8);
  create table files (key text);
  create table consumers (consumer text, filter text);
  create table left_over (command text);
  create table usage (used int, is_lost boolean);
  create view requests as select *,
    status between 200 and 299 as acknowledged,
    status = 0 or status >= 500 as unknown,
    exists (select from restores where split_part(fact, '.', 1) = database and ended >= since and started <= until) as lost,
    exists (select from outages where needs && breaks and ended >= since and started <= until + ${recoveryMs}) as disturbed
  from journal`;

/**
 * Prepares the maintenance database for the checks: it has a schema with the tables of each database, as foreign tables, and
 * tables for what is observed from outside. `collect` fills these.
 */
export async function prepareEvidence(
  { sql, postgresUrl, natsUrl, restores, storagePath, findLeftOver }: System,
  { journal, users }: Workload,
) {
  const { hostname, port, username, password } = new URL(postgresUrl);
  const schemas = databases.map(
    (name) => `
      create server ${name} foreign data wrapper postgres_fdw options (host '${hostname}', port '${port}', dbname '${name}');
      create user mapping for current_user server ${name} options (user '${username}', password '${password}');
      create schema ${name};
      import foreign schema public from server ${name} into ${name} options (import_generated 'false');`,
  );
  await sql.unsafe(`create extension postgres_fdw; ${schemas.join('')} ${tables}`);

  /** The time of each fault, and the parts whose routes may fail until the system has had time to recover. */
  const outages: { breaks: readonly string[]; since: number; until: number }[] = [];

  /** Moves rows to a table. */
  const store = (table: string, rows: object[]) => sql`
    insert into ${sql(table)} select *
    from jsonb_populate_recordset(null::${sql(table)}, ${JSON.stringify(rows.splice(0))}::text::jsonb)`;

  async function listConsumers() {
    const connection = await connect({ servers: natsUrl });
    const list = async () => (await connection.jetstreamManager()).consumers.list('LMS_EVENTS').next();
    const consumers = await list().finally(() => connection.close());
    return consumers.map(({ config }) => ({ consumer: config.durable_name, filter: config.filter_subject }));
  }

  return {
    outages,
    /** `isUsageLost`: Redis has lost the usage that only a killed gateway knew. */
    async collect(isUsageLost: boolean) {
      const { data } = await journal.send(users.counted, 'GET /auth/usage');
      const files = await readdir(storagePath, { recursive: true, withFileTypes: true });
      await sql`truncate files, consumers, left_over, usage`;
      await store('usage', [{ used: Object(data.apiCalls).used ?? -1, is_lost: isUsageLost }]);
      await store(
        'files',
        files.filter((one) => one.isFile()).map(({ name }) => ({ key: basename(name, '.part') })),
      );
      await store('consumers', await listConsumers());
      await store('left_over', findLeftOver());
      await store('journal', journal.entries);
      await store('outages', outages);
      await store('restores', restores);
    },
  };
}

/** Changes a copy of a foreign table, which the checks then read instead of it, or a table of the evidence itself. */
export function plant(statement: string): string {
  const [, schema, table] = /(?:into|from|update) (\w+)\.(\w+)/.exec(statement) ?? [];
  if (!schema) return statement;
  return `alter foreign table ${schema}.${table} rename to original;
    create table ${schema}.${table} as table ${schema}.original; ${statement}`;
}

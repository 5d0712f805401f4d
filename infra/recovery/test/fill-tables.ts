import type { Sql } from 'postgres';
import { listTables } from '../src/databases.ts';

// Where checks of a table leave no choice.
const exceptions: Record<string, string> = { 'nodes.kind': 'level' };

/** An SQL expression with a value that the row `n` may have in a column that has no default. */
function valueFor(type: string, allowed: string | undefined): string {
  if (allowed !== undefined) return `'${allowed}'`;
  if (type.endsWith('[]')) return `'{}'`;
  if (type === 'jsonb') return `'{}'`;
  if (type === 'boolean') return 'true';
  if (type.startsWith('timestamp')) return 'now()';
  return type === 'text' ? `'row' || n` : 'n';
}

/** Fills all tables of a database, whatever columns they have. Only those without a default get values. */
export async function fillTables(sql: Sql, rows: number): Promise<string[]> {
  // Without foreign keys and triggers.
  await sql`set session_replication_role = replica`;
  const tables = await listTables(sql);
  for (const name of tables) {
    const columns = await sql<{ name: string; type: string; checks: string[] }[]>`
      select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
        array(select pg_get_constraintdef(oid) from pg_constraint
          where contype = 'c' and conrelid = a.attrelid and conkey = array[a.attnum]) as checks
      from pg_attribute a
      where a.attrelid = quote_ident(${name})::regclass and a.attnum > 0 and a.attnotnull and not a.attisdropped
        and not a.atthasdef and a.attidentity = '' and a.attgenerated = ''`;
    const values = columns.map((column) =>
      valueFor(column.type, exceptions[`${name}.${column.name}`] ?? column.checks.join().match(/'(\w+)'::text/)?.[1]),
    );
    const names = columns.map((column) => `"${column.name}"`);
    await sql.unsafe(
      `insert into "${name}" (${names.join()}) select ${values.join()} from generate_series(1, ${rows}) n`,
    );
  }
  await sql`set session_replication_role = origin`;
  return tables;
}

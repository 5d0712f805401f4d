import type { Sql } from 'postgres';
import type { Migration, Sequence } from '../manifest.ts';
import { RecoveryError } from '../recovery-error.ts';

export interface TableColumns {
  name: string;
  columns: string[];
}

export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Returns the tables with their columns, except generated ones. Referenced tables come before those that refer to them. */
export async function describeTables(sql: Sql): Promise<TableColumns[]> {
  const tables = await sql<TableColumns[]>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`;
  const references = await sql<{ from: string; to: string }[]>`
    select r.relname as from, f.relname as to
    from pg_constraint k join pg_class r on r.oid = k.conrelid join pg_class f on f.oid = k.confrelid
    where k.contype = 'f' and k.conrelid <> k.confrelid`;
  const ordered: TableColumns[] = [];
  let remaining = tables.map(({ name, columns }) => ({ name, columns }));
  while (remaining.length > 0) {
    const hasNoOpenReference = ({ name }: TableColumns) =>
      references.every(({ from, to }) => from !== name || remaining.every((other) => other.name !== to));
    const next = remaining.filter(hasNoOpenReference);
    if (next.length === 0) throw new RecoveryError('tables have circular references');
    ordered.push(...next);
    remaining = remaining.filter((table) => !next.includes(table));
  }
  return ordered;
}

export async function describeSequences(sql: Sql): Promise<Sequence[]> {
  const names = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relkind = 'S' and relnamespace = 'public'::regnamespace order by relname`;
  const sequences: Sequence[] = [];
  for (const { name } of names) {
    const [row] = await sql.unsafe(`select last_value::text as "lastValue", is_called from ${quote(name)}`);
    if (row) sequences.push({ name, lastValue: String(row.lastValue), isCalled: row.is_called === true });
  }
  return sequences;
}

/** Returns the applied migrations of a database. */
export async function listMigrations(sql: Sql): Promise<Migration[]> {
  const [row] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`;
  if (row?.exists !== true) return [];
  const rows = await sql<{ hash: string; createdAt: string }[]>`
    select hash, created_at as "createdAt" from drizzle.__drizzle_migrations order by created_at`;
  return rows.map(({ hash, createdAt }) => ({ hash, createdAt: Number(createdAt) }));
}

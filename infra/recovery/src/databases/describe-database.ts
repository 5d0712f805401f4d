import type { Sql } from 'postgres';
import type { Migration, Sequence } from '../manifest.ts';
import { RecoveryError } from '../recovery-error.ts';

export interface TableShape {
  name: string;
  columns: string[];
}

export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The tables with the columns that are not generated; those that others refer to come first. */
export async function describeTables(sql: Sql): Promise<TableShape[]> {
  const tables = await sql<{ name: string; columns: string[] }[]>`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.relname order by c.relname`;
  const references = await sql<{ from: string; to: string }[]>`
    select r.relname as from, f.relname as to
    from pg_constraint k join pg_class r on r.oid = k.conrelid join pg_class f on f.oid = k.confrelid
    where k.contype = 'f' and k.conrelid <> k.confrelid`;
  return inOrder(
    tables.map(({ name, columns }) => ({ name, columns })),
    references,
  );
}

function inOrder(tables: TableShape[], references: readonly { from: string; to: string }[]): TableShape[] {
  const ordered: TableShape[] = [];
  let waiting = tables;
  while (waiting.length > 0) {
    const isFree = ({ name }: TableShape) =>
      references.every(({ from, to }) => from !== name || waiting.every((other) => other.name !== to));
    const free = waiting.filter(isFree);
    if (free.length === 0) throw new RecoveryError('tables refer to each other in a circle');
    ordered.push(...free);
    waiting = waiting.filter((table) => !free.includes(table));
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

/** The migrations that a database has been through; none for one that was never migrated. */
export async function listMigrations(sql: Sql): Promise<Migration[]> {
  const [known] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as known`;
  if (known?.known !== true) return [];
  const rows = await sql<{ hash: string; createdAt: string }[]>`
    select hash, created_at as "createdAt" from drizzle.__drizzle_migrations order by created_at`;
  return rows.map(({ hash, createdAt }) => ({ hash, createdAt: Number(createdAt) }));
}

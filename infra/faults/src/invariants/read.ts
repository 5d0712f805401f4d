import type { Database } from 'local/databases';
import type { System } from '../system/start-system.ts';
import type { Row } from './invariant.ts';

/** The rows of a query by their `key`. */
export async function read(system: System, database: Database, text: string): Promise<Map<string, string>> {
  const rows = await system.query(database, (sql) => sql.unsafe<Row[]>(text));
  return new Map(rows.map(({ key, value }) => [key, value ?? '']));
}

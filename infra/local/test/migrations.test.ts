import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import t from 'tap';
import { databases } from '../src/databases/provision.ts';

const services = fileURLToPath(new URL('../../../services/', import.meta.url));
// The functions of `drizzle-kit generate`, whose program takes 1.6 s of processor time for each service.
const { generateDrizzleJson, generateMigration } = createRequire(join(services, 'media/package.json'))(
  'drizzle-kit/api',
);
const empty = generateDrizzleJson({});

/** What the last migration of a service has left, and what its tables are. */
async function readStates(service: string) {
  const folder = join(services, service, 'migrations/meta');
  const snapshots = readdirSync(folder).filter((name) => name.endsWith('_snapshot.json'));
  const migrated = JSON.parse(readFileSync(join(folder, snapshots.sort().at(-1) ?? ''), 'utf8'));
  const schema = await import(pathToFileURL(join(services, service, 'dist/schema.js')).href);
  return { migrated, current: generateDrizzleJson({ ...schema }, migrated.id, ['public'], 'snake_case') };
}

for (const name of databases)
  t.test(`the migrations of ${name} are complete`, async (t) => {
    const { migrated, current } = await readStates(name);
    t.same(
      await generateMigration(migrated, current),
      [],
      'pnpm --filter <service> migrations generates what is missing',
    );
    const missing = await generateMigration(empty, current);
    const tables = Object.values(migrated.tables).map((table) => `CREATE TABLE "${Object(table).name}"`);
    for (const table of tables) t.match(missing.join('\n'), table, 'a missing table is found');
  });

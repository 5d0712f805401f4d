import { join } from 'node:path';
import { startNats } from '@lms/testing/servers';
import { type Database, databases, provisionDatabase } from 'local/databases';
import { startPostgres } from 'local/embedded';
import t from 'tap';
import { runProgram } from '../../local/test/programs/run-program.ts';
import { migrateTo } from '../src/databases/migrations.ts';
import { makeFolder } from './test-system.ts';

const directory = await makeFolder(t);
const nats = await startNats(t);
const server = await startPostgres({ directory: join(directory, 'postgres'), settings: { fsync: 'off' } });
t.teardown(server.stop);

const owners: Record<string, string> = {};
for (const name of databases) owners[`${name.toUpperCase()}_DATABASE_URL`] = await prepare(name);

async function prepare(name: Database): Promise<string> {
  const { owner } = await provisionDatabase(server.url, name, { owner: 'owner-password', service: 'service-password' });
  await migrateTo(owner, name);
  return owner;
}

/** Runs a command without a local stack. */
async function run(name: string, args: string[], settings: Record<string, string>) {
  const folders = { DATA_DIR: join(directory, 'empty'), STORAGE_PATH: join(directory, 'storage') };
  const program = runProgram(t, `infra/recovery/src/${name}.ts`, args, { ...folders, ...settings });
  return { code: await program.ended, output: program.output() };
}

t.test('external databases are configured one by one, and NATS for a restore', async (t) => {
  const folder = join(directory, 'four');
  t.match(await run('backup', [folder], owners), { code: 0, output: /done/ });
  t.match(await run('restore', [folder], owners), { code: 1, output: /NATS_URL: is required/ });
  t.match(await run('restore', [folder], { ...owners, NATS_URL: nats.url }), { code: 0, output: /done/ });
});

t.test('an external server is configured by the URL of its superuser', async (t) => {
  const folder = join(directory, 'one');
  const urls = { POSTGRES_URL: server.url, NATS_URL: nats.url };
  t.match(await run('backup', [folder], urls), { code: 0, output: /done/ });
  t.match(await run('restore', [folder], urls), { code: 0, output: /done/ });
});

t.test('invalid arguments exit with 64, invalid settings with 78', async (t) => {
  t.match(await run('backup', [], owners), { code: 64, output: /Usage/ });
  t.match(await run('restore', ['a', 'b'], owners), { code: 64, output: /Usage/ });
  t.match(await run('backup', ['a'], { POSTGRES_URL: 'mysql://x' }), { code: 78, output: /POSTGRES_URL: must be/ });
});

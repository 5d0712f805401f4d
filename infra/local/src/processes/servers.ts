import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Environment } from '@lms/config/load-config';
import { ensureBinaries, environmentWithPath } from '../binaries/ensure-binaries.ts';
import { closeMaintenanceDatabases } from '../databases/provision.ts';
import { externalDatabases, type Settings } from '../settings.ts';
import { type ProcessDefinition, runTask } from '../supervisor/process.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { postgresProcess } from './postgres.ts';

export interface ServerSettings {
  settings: Settings;
  environment: Environment;
  /** The data directory. */
  directory: string;
  report(line: string): void;
}

/** The URL of PostgreSQL is that of its superuser; it is empty if every database has a URL of its own. */
export type ServerUrls = Awaited<ReturnType<typeof startServers>>;

/** Starts PostgreSQL, NATS and Redis, except those that run elsewhere. */
export async function startServers(
  supervisor: Supervisor,
  ports: { postgres: number; nats: number; redis: number },
  { settings, directory, report }: ServerSettings,
) {
  const { POSTGRES_URL, NATS_URL, REDIS_URL } = settings;
  const optionsOf = (name: keyof typeof ports) => ({ directory: join(directory, name), port: ports[name] });
  const embedPostgres = !POSTGRES_URL && Object.values(externalDatabases(settings)).some((url) => url === undefined);
  const postgres = embedPostgres ? postgresProcess(optionsOf('postgres')) : undefined;
  const nats = NATS_URL ? undefined : natsProcess(optionsOf('nats'));
  const redis = REDIS_URL ? undefined : redisProcess(optionsOf('redis'));
  const binaries = [nats && 'nats-server', redis && 'redis-server'] as const;
  await ensureBinaries(
    binaries.filter((name) => name !== undefined),
    { report, runTask },
  );
  await supervisor.start([postgres, nats, redis].filter((definition) => definition !== undefined));
  if (postgres) await closeMaintenanceDatabases(postgres.url);
  return {
    postgresUrl: POSTGRES_URL ?? postgres?.url ?? '',
    natsUrl: NATS_URL ?? nats?.url ?? '',
    redisUrl: REDIS_URL ?? redis?.url ?? '',
  };
}

interface ServerOptions {
  directory: string;
  port: number;
}

const stop = { stopSignal: 'SIGTERM', stopTimeoutMs: 10_000 } as const;

/** NATS with JetStream. */
export const natsProcess = ({ directory, port }: ServerOptions): ProcessDefinition => ({
  ...{ name: 'nats', url: `nats://127.0.0.1:${port}`, ...stop },
  command() {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const config = join(directory, 'server.conf');
    const env = environmentWithPath();
    const version = execFileSync('nats-server', ['--version'], { encoding: 'utf8', env });
    writeFileSync(config, renderNatsConfig(directory, port, !/v2\.\d\./.test(version)));
    return { file: 'nats-server', args: ['--config', config], env };
  },
  async probe() {
    const greeting = await readReply(port);
    if (!/"jetstream":\s*true/.test(greeting)) throw new Error('JetStream is not ready');
  },
});

// The state in an event has less than 1 MiB, the default of max_payload, and with its changes three times as much. The default
// maximum of the store is three quarters of what is free at each start: with a disk that is half full, NATS would refuse all
// events after a restart. Since 2.10, each acknowledged event can be written to disk.
const renderNatsConfig = (directory: string, port: number, canSyncAlways: boolean) => `listen: "127.0.0.1:${port}"
max_payload: 8MB
jetstream {
  store_dir: ${JSON.stringify(join(directory, 'store'))}
  max_file_store: 10GB${canSyncAlways ? '\n  sync_interval: always' : ''}
}
`;

/** Redis with an append-only file: quotas must survive a restart. */
export const redisProcess = ({ directory, port }: ServerOptions): ProcessDefinition => ({
  ...{ name: 'redis', url: `redis://127.0.0.1:${port}`, ...stop },
  command() {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const network = ['--bind', '127.0.0.1', '--port', String(port)];
    const durability = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''];
    const args = [...network, ...durability, '--dir', directory];
    return { file: 'redis-server', args, env: environmentWithPath() };
  },
  async probe() {
    const reply = await readReply(port, 'PING\r\n');
    if (!reply.startsWith('+PONG')) throw new Error(reply.trim());
  },
});

/** Connects to a local server, sends `message` if there is one, and returns the first data received. */
export async function readReply(port: number, message = '', timeoutMs = 2_000): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    if (message) socket.write(message);
    const [reply] = await once(socket, 'data', { signal: AbortSignal.timeout(timeoutMs) });
    return String(reply);
  } finally {
    socket.destroy();
  }
}

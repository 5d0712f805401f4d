import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateBinary, natsServer } from '../binaries/ensure-binaries.ts';
import type { ProcessDefinition } from '../supervisor/process-definition.ts';
import { readReply } from './read-reply.ts';

export interface ServerOptions {
  directory: string;
  port: number;
  /** The PATH in which the program is searched. */
  path: string;
}

/** NATS with JetStream. */
export function natsProcess({ directory, port, path }: ServerOptions): ProcessDefinition {
  const configFile = join(directory, 'server.conf');
  return {
    name: 'nats',
    url: `nats://127.0.0.1:${port}`,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 10_000,
    command() {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const file = locateBinary(natsServer, path);
      writeFileSync(configFile, renderConfig(directory, port, canSyncAlways(file)));
      return { file, args: ['--config', configFile] };
    },
    async probe() {
      const greeting = await readReply(port);
      if (!/"jetstream":\s*true/.test(greeting)) throw new Error('JetStream is not ready');
    },
  };
}

// The text of a topic may have 4 MB as UTF-8, and events contain the full state. The default maximum of the store is three
// quarters of what is free at each start: with a disk that is half full, NATS would refuse all events after a restart.
function renderConfig(directory: string, port: number, syncAlways: boolean): string {
  return `listen: "127.0.0.1:${port}"
max_payload: 8MB
jetstream {
  store_dir: ${JSON.stringify(join(directory, 'store'))}
  max_file_store: 10GB${syncAlways ? '\n  sync_interval: always' : ''}
}
`;
}

/** Whether the server has the setting that writes each acknowledged event to disk: since 2.10. */
function canSyncAlways(file: string): boolean {
  const [, major, minor] = /v(\d+)\.(\d+)/.exec(execFileSync(file, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 10);
}

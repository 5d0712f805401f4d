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
      writeFileSync(configFile, renderConfig(directory, port));
      return { file: locateBinary(natsServer, path), args: ['--config', configFile] };
    },
    async probe() {
      const greeting = await readReply(port);
      if (!/"jetstream":\s*true/.test(greeting)) throw new Error('JetStream is not ready');
    },
  };
}

// The text of a topic may have 4 MB as UTF-8, and events contain the full state.
function renderConfig(directory: string, port: number): string {
  return `listen: "127.0.0.1:${port}"
max_payload: 8MB
jetstream { store_dir: ${JSON.stringify(join(directory, 'store'))} }
`;
}

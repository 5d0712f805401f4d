import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateBinary, natsServer } from '../binaries/ensure-binaries.ts';
import type { Part } from '../supervisor/part.ts';
import { exchange } from './exchange.ts';

export interface ServerOptions {
  directory: string;
  port: number;
  /** Where to look for the binary. */
  path: string;
}

/** NATS with JetStream. */
export function natsPart({ directory, port, path }: ServerOptions): Part {
  const configFile = join(directory, 'server.conf');
  return {
    name: 'nats',
    url: `nats://127.0.0.1:${port}`,
    stopSignal: 'SIGTERM',
    stopWithinMs: 10_000,
    command() {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      writeFileSync(configFile, configure(directory, port));
      return { file: locateBinary(natsServer, path), args: ['--config', configFile] };
    },
    async probe() {
      const greeting = await exchange(port);
      if (!/"jetstream":\s*true/.test(greeting)) throw new Error('JetStream is not up');
    },
  };
}

// A topic's text may take 4 MB as UTF-8, and events carry the full state.
function configure(directory: string, port: number): string {
  return `listen: "127.0.0.1:${port}"
max_payload: 8MB
jetstream { store_dir: ${JSON.stringify(join(directory, 'store'))} }
`;
}

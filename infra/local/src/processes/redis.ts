import { mkdirSync } from 'node:fs';
import { locateBinary, redisServer } from '../binaries/ensure-binaries.ts';
import type { ProcessDefinition } from '../supervisor/process-definition.ts';
import type { ServerOptions } from './nats.ts';
import { readReply } from './read-reply.ts';

/** Redis with an append-only file: quotas must survive a restart. */
export function redisProcess({ directory, port, path }: ServerOptions): ProcessDefinition {
  return {
    name: 'redis',
    url: `redis://127.0.0.1:${port}`,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 10_000,
    command() {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const network = ['--bind', '127.0.0.1', '--port', String(port)];
      const durability = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''];
      return { file: locateBinary(redisServer, path), args: [...network, ...durability, '--dir', directory] };
    },
    async probe() {
      const reply = await readReply(port, 'PING\r\n');
      if (!reply.startsWith('+PONG')) throw new Error(reply.trim());
    },
  };
}

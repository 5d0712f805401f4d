import { mkdirSync } from 'node:fs';
import { locateBinary, redisServer } from '../binaries/ensure-binaries.ts';
import type { Part } from '../supervisor/part.ts';
import { exchange } from './exchange.ts';
import type { ServerOptions } from './nats.ts';

/** Redis that remembers: quotas must survive its restart. */
export function redisPart({ directory, port, path }: ServerOptions): Part {
  return {
    name: 'redis',
    url: `redis://127.0.0.1:${port}`,
    stopSignal: 'SIGTERM',
    stopWithinMs: 10_000,
    command() {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const network = ['--bind', '127.0.0.1', '--port', String(port)];
      const durability = [
        '--appendonly',
        'yes',
        '--appendfsync',
        'everysec',
        '--aof-load-truncated',
        'yes',
        '--save',
        '',
      ];
      const args = [...network, ...durability, '--dir', directory, '--daemonize', 'no'];
      return { file: locateBinary(redisServer, path), args };
    },
    async probe() {
      const answer = await exchange(port, 'PING\r\n');
      if (!answer.startsWith('+PONG')) throw new Error(answer.trim());
    },
  };
}

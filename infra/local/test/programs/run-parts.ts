import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { natsPart } from '../../src/parts/nats.ts';
import { postgresPart } from '../../src/parts/postgres.ts';
import { redisPart } from '../../src/parts/redis.ts';
import { DirectoryInUse } from '../../src/supervisor/directory-lock.ts';
import type { Part } from '../../src/supervisor/part.ts';
import { runStack } from '../../src/supervisor/run-stack.ts';

/**
 * A stack of the parts named on the command line: `run-parts.ts DIRECTORY [postgres] [nats] [redis] [failing]`. With
 * TAKEN=nats another listener takes the first port that was chosen for it.
 */
const [directory = '', ...names] = process.argv.slice(2);

const failing: Part = {
  name: 'failing',
  url: 'none:',
  stopSignal: 'SIGTERM',
  stopWithinMs: 1_000,
  command: () => ({ file: process.execPath, args: ['-e', 'console.error("the disk is on fire"); process.exit(3)'] }),
  probe: () => Promise.reject(new Error('never ready')),
};

try {
  const code = await runStack(
    directory,
    async ({ supervisor }) => {
      let taken = process.env.TAKEN;
      await supervisor.onFreePorts(3, async ([postgres = 0, nats = 0, redis = 0]) => {
        const ports: Record<string, number> = { postgres, nats, redis };
        if (taken) await once(createServer().listen(ports[taken], '127.0.0.1'), 'listening');
        taken = undefined;
        const path = process.env.PATH ?? '';
        const parts: Record<string, () => Part> = {
          postgres: () => postgresPart({ directory: join(directory, 'postgres'), port: postgres }),
          nats: () => natsPart({ directory: join(directory, 'nats'), port: nats, path }),
          redis: () => redisPart({ directory: join(directory, 'redis'), port: redis, path }),
          failing: () => failing,
        };
        for (const name of names) await supervisor.start([parts[name]?.() ?? failing]);
      });
      console.log('everything is ready');
    },
    console.log,
  );
  process.exit(code);
} catch (error) {
  console.error(error instanceof DirectoryInUse ? error.message : error);
  process.exit(1);
}

import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { postgresProcess } from '../../src/processes/postgres.ts';
import { natsProcess, redisProcess } from '../../src/processes/servers.ts';
import { DirectoryInUse } from '../../src/supervisor/directory-lock.ts';
import type { ProcessDefinition } from '../../src/supervisor/process.ts';
import { runStack } from '../../src/supervisor/run-stack.ts';

/**
 * Runs a stack with the given processes: `run-processes.ts DIRECTORY [postgres] [nats] [redis] [failing]`. With
 * TAKEN=nats, another server listens on the first port that was chosen for NATS.
 */
const [directory = '', ...names] = process.argv.slice(2);

const failing: ProcessDefinition = {
  name: 'failing',
  url: 'none:',
  stopSignal: 'SIGTERM',
  stopTimeoutMs: 1_000,
  command: () => ({ file: process.execPath, args: ['-e', 'console.error("the disk is full"); process.exit(3)'] }),
  probe: () => Promise.reject(new Error('never ready')),
};

try {
  const code = await runStack({
    ...{ directory, external: {}, report: console.log },
    async start(supervisor) {
      let taken = process.env.TAKEN;
      await supervisor.onFreePorts(3, async ([postgres = 0, nats = 0, redis = 0]) => {
        const ports: Record<string, number> = { postgres, nats, redis };
        if (taken) await once(createServer().listen(ports[taken], '127.0.0.1'), 'listening');
        taken = undefined;
        const definitions: Record<string, () => ProcessDefinition> = {
          postgres: () => postgresProcess({ directory: join(directory, 'postgres'), port: postgres }),
          nats: () => natsProcess({ directory: join(directory, 'nats'), port: nats }),
          redis: () => redisProcess({ directory: join(directory, 'redis'), port: redis }),
          failing: () => failing,
        };
        for (const name of names) await supervisor.start([definitions[name]?.() ?? failing]);
      });
      console.log('all processes are ready');
    },
  });
  process.exit(code);
} catch (error) {
  console.error(error instanceof DirectoryInUse ? error.message : error);
  process.exit(1);
}

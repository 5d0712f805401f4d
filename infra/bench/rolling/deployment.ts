import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { waitFor } from '@lms/testing/wait-for';
import { claimPorts } from 'local/free-ports';
import type { Command, ProcessDefinition } from 'local/process-definition';
import { type Balancer, type Endpoint, startBalancer } from './balancer.ts';

interface Replica {
  endpoint: Endpoint;
  child: ChildProcess;
  exited: Promise<number | null>;
}

export interface Deployment {
  name: string;
  start(): Promise<void>;
  /** Starts a new process and stops the old one when the new one is ready: `maxSurge: 1`, `maxUnavailable: 0`. */
  roll(): Promise<void>;
  /** The exit codes of the replaced processes. */
  exitCodes(): Promise<(number | null)[]>;
  stop(): Promise<void>;
}

/** Starts one process behind a balancer at the part's address. */
export async function createDeployment(
  part: ProcessDefinition,
  settings: NodeJS.ProcessEnv,
  logFile: string,
): Promise<Deployment> {
  const balancer = await startBalancer(Number(new URL(part.url).port));
  const log = createWriteStream(logFile);
  const replaced: Promise<number | null>[] = [];
  const running: Replica[] = [];

  async function add(): Promise<Replica> {
    const { ports } = await claimPorts(2);
    const [port = 0, adminPort = 0] = ports;
    const endpoint = { port, adminPort };
    const listen = { PORT: String(port), ADMIN_PORT: String(adminPort) };
    const child = launch(await part.command(), { ...settings, ...listen });
    for (const stream of [child.stdout, child.stderr]) stream?.pipe(log, { end: false });
    const exited = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null));
    const replica = { endpoint, child, exited };
    running.push(replica);
    balancer.add(endpoint);
    await waitFor(() => isReady(balancer, replica), { timeoutMs: 60_000, until: `${part.name} to be ready` });
    return replica;
  }

  function stopReplica(replica: Replica): Promise<number | null> {
    running.splice(running.indexOf(replica), 1);
    replica.child.kill('SIGTERM');
    return replica.exited.finally(() => balancer.remove(replica.endpoint));
  }

  return {
    name: part.name,
    async start() {
      await add();
    },
    async roll() {
      const old = [...running];
      await add();
      replaced.push(...old.map(stopReplica));
    },
    exitCodes: () => Promise.all(replaced),
    async stop() {
      await Promise.all([...replaced, ...[...running].map(stopReplica)]);
      await balancer.close();
      log.end();
    },
  };
}

function isReady(balancer: Balancer, { child, endpoint }: Replica): boolean {
  if (child.exitCode !== null) throw new Error(`a process exited with ${child.exitCode} before it was ready`);
  return balancer.isReady(endpoint);
}

// The processes end with the measurement, also when it is interrupted.
const launched: ChildProcess[] = [];
process.once('exit', () => {
  for (const child of launched) child.kill('SIGKILL');
});

function launch({ file, args, env, cwd }: Command, settings: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(file, args, { env: { ...env, ...settings }, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  launched.push(child);
  return child;
}

import { setTimeout as pause } from 'node:timers/promises';
import { openTcpProxy } from '@lms/testing/tcp-proxy';
import { waitFor } from '@lms/testing/wait-for';
import { claimPorts } from 'local/free-ports';
import type { ProcessDefinition } from 'local/process';
import type { Bench } from '../harness/run-bench.ts';

interface Replica {
  pid: number;
  port: number;
  adminPort: number;
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
  { start, stop, exitCodeOf }: Bench,
): Promise<Deployment> {
  const balancer = await startBalancer(Number(new URL(part.url).port));
  const replaced: Promise<number | null>[] = [];
  const running: Replica[] = [];

  async function add() {
    const { ports } = await claimPorts(2);
    const [port = 0, adminPort = 0] = ports;
    const listen = { PORT: String(port), ADMIN_PORT: String(adminPort) };
    const { file, args, env } = await part.command();
    const replica = { pid: await start(part.name, file, args, { ...env, ...settings, ...listen }), port, adminPort };
    running.push(replica);
    balancer.add(replica);
    const isReady = () => {
      const code = exitCodeOf(replica.pid);
      if (code !== null) throw new Error(`${part.name} exited with ${code} before it was ready`);
      return balancer.isReady(replica);
    };
    await waitFor(isReady, { timeoutMs: 60_000, until: `${part.name} to be ready` });
  }

  function stopReplica(replica: Replica): Promise<number | null> {
    running.splice(running.indexOf(replica), 1);
    return stop(replica.pid).finally(() => balancer.remove(replica));
  }

  return {
    name: part.name,
    start: add,
    async roll() {
      const old = [...running];
      await add();
      replaced.push(...old.map(stopReplica));
    },
    exitCodes: () => Promise.all(replaced),
    async stop() {
      await Promise.all([...replaced, ...[...running].map(stopReplica)]);
      await balancer.close();
    },
  };
}

const probeMs = 250;

/**
 * Balances connections as a Kubernetes Service does: each new connection goes to a ready replica, open ones stay where
 * they are. Readiness is polled from `/readyz`, so a replica that shuts down still gets connections for a while.
 */
async function startBalancer(port: number) {
  const replicas = new Map<Replica, boolean>();
  let turn = 0;
  let closed = false;

  const proxy = await openTcpProxy(() => {
    const ready = [...replicas].flatMap(([replica, isReady]) => (isReady ? replica : []));
    turn += 1;
    const chosen = ready[turn % ready.length];
    return chosen && { host: '127.0.0.1', port: chosen.port };
  }, port);

  const probing = (async () => {
    while (!closed) {
      await Promise.all([...replicas.keys()].map(probe));
      await pause(probeMs);
    }
  })();

  async function probe(replica: Replica) {
    const isReady = await fetch(`http://127.0.0.1:${replica.adminPort}/readyz`, { signal: AbortSignal.timeout(2_000) })
      .then((response) => response.arrayBuffer().then(() => response.ok))
      .catch(() => false);
    if (replicas.has(replica)) replicas.set(replica, isReady);
  }

  return {
    add: (replica: Replica) => void replicas.set(replica, false),
    remove: (replica: Replica) => void replicas.delete(replica),
    isReady: (replica: Replica) => replicas.get(replica) === true,
    async close() {
      closed = true;
      proxy.close();
      await probing;
    },
  };
}

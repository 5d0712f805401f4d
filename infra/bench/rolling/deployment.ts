import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { openTcpProxy } from '@lms/testing/tcp-proxy';
import { waitFor } from '@lms/testing/wait-for';
import { claimPorts } from 'local/free-ports';
import type { ProcessDefinition } from 'local/process';
import type { Bench } from '../harness/run-bench.ts';

interface Replica {
  child: ChildProcess;
  port: number;
  adminPort: number;
}

export type Deployment = Awaited<ReturnType<typeof createDeployment>>;

/** Starts one process behind a balancer at the part's address. */
export async function createDeployment(part: ProcessDefinition, settings: NodeJS.ProcessEnv, { start }: Bench) {
  const balancer = await startBalancer(Number(new URL(part.url).port));
  const replaced: Promise<number | null>[] = [];
  let running: Replica[] = [];

  async function add() {
    const [port = 0, adminPort = 0] = (await claimPorts(2)).ports;
    const { file, args, env } = await part.command();
    const listen = { PORT: String(port), ADMIN_PORT: String(adminPort) };
    const replica = { child: await start(part.name, file, args, { ...env, ...settings, ...listen }), port, adminPort };
    running.push(replica);
    balancer.add(replica);
    const isReady = () => {
      const code = replica.child.exitCode;
      if (code !== null) throw new Error(`${part.name} exited with ${code} before it was ready`);
      return balancer.isReady(replica);
    };
    await waitFor(isReady, { timeoutMs: 60_000, until: `${part.name} to be ready` });
  }

  async function stop(replica: Replica): Promise<number | null> {
    const exited = once(replica.child, 'exit');
    replica.child.kill('SIGTERM');
    await exited;
    balancer.remove(replica);
    return replica.child.exitCode;
  }

  return {
    name: part.name,
    start: add,
    /** Starts a new process and stops the old one when the new one is ready: `maxSurge: 1`, `maxUnavailable: 0`. */
    async roll() {
      const old = running;
      running = [];
      await add();
      replaced.push(...old.map(stop));
    },
    /** The exit codes of the replaced processes. */
    exitCodes: () => Promise.all(replaced),
    async stop() {
      await Promise.all(running.map(stop));
      await balancer.close();
    },
  };
}

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
      await pause(250);
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

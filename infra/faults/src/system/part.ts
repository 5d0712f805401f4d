import { setTimeout as pause } from 'node:timers/promises';
import { openServerProxy } from '@lms/testing/tcp-proxy';
import type { ProcessDefinition } from 'local/process';
import { signalProcess } from 'local/process-identity';
import type { Supervisor } from 'local/supervisor';
import { treeOf } from './process-tree.ts';

const readyTimeoutMs = 120_000;
/** The connections of a process that go through a proxy. */
const proxied = ['DATABASE_URL', 'NATS_URL', 'REDIS_URL'];

/** A process of the system, with what is needed to disturb it. */
export type Part = ReturnType<typeof createPart>['part'];

/** Wraps the definition of a process, so that the supervisor starts it when and as the part says. */
export function createPart(definition: ProcessDefinition, supervisor: Supervisor) {
  const proxies: Awaited<ReturnType<typeof openServerProxy>>[] = [];
  const environment: Record<string, string> = {};
  let gate = Promise.resolve();
  let open = () => {};
  let frozen: number[] = [];
  const pid = () => supervisor.processes.find((one) => one.definition.name === definition.name)?.pid() ?? null;
  const signalFrozen = (signal: NodeJS.Signals) => {
    for (const one of frozen) signalProcess(one, signal);
  };
  async function kill() {
    const before = pid();
    if (before === null) return;
    signalProcess(before, 'SIGKILL');
    while (pid() === before) await pause(20);
  }
  async function hold() {
    gate = new Promise((resolve) => {
      open = resolve;
    });
    await kill();
  }
  async function untilReady() {
    const deadline = Date.now() + readyTimeoutMs;
    for (;;) {
      const failure = pid() === null ? 'not running' : await definition.probe().then(() => undefined, String);
      if (failure === undefined) return;
      if (Date.now() > deadline) throw new Error(`${definition.name} is not ready: ${failure}`);
      await pause(50);
    }
  }
  async function release() {
    open();
    await untilReady();
  }

  const part = {
    name: definition.name,
    url: definition.url,
    /** Added to the environment at the next start. */
    environment,
    pid,
    /** Kills the process. The supervisor starts it again. */
    kill,
    freeze() {
      frozen = [pid() ?? []].flat().flatMap(treeOf);
      signalFrozen('SIGSTOP');
    },
    thaw: () => signalFrozen('SIGCONT'),
    /** Kills the process and keeps the supervisor from starting it again. */
    hold,
    /** Lets the supervisor start it again. Resolves when it is ready. */
    release,
    /** Does something between `hold` and `release`. */
    async whileStopped<T>(work: () => Promise<T>): Promise<T> {
      await hold();
      const result = await work();
      await release();
      return result;
    },
    resetConnections() {
      for (const proxy of proxies) proxy.reset();
    },
    untilReady,
    close() {
      for (const proxy of proxies) proxy.close();
    },
  };

  const controlled: ProcessDefinition = {
    ...definition,
    async prepare(runTask) {
      await definition.prepare?.(runTask);
      if (!definition.adminUrl) return;
      const { env = {} } = await definition.command();
      for (const name of proxied) {
        const target = env[name];
        if (!target) continue;
        const proxy = await openServerProxy(target);
        proxies.push(proxy);
        environment[name] = proxy.url;
      }
    },
    async command() {
      await gate;
      const command = await definition.command();
      return { ...command, env: { ...(command.env ?? process.env), ...environment } };
    },
  };
  return { part, controlled };
}

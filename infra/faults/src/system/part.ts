import { setTimeout as pause } from 'node:timers/promises';
import { openServerProxy } from '@lms/testing/tcp-proxy';
import type { ProcessDefinition } from 'local/process-definition';
import type { Supervisor } from 'local/supervisor';
import { treeOf } from './process-tree.ts';

const readyTimeoutMs = 120_000;
/** The connections of a process that go through a proxy. */
const proxied = ['DATABASE_URL', 'NATS_URL', 'REDIS_URL'];

/** A process of the system, with what is needed to disturb it. */
export interface Part {
  name: string;
  url: string;
  /** Added to the environment at the next start. */
  environment: Record<string, string>;
  pid(): number | null;
  kill(): void;
  freeze(): void;
  thaw(): void;
  /** Kills the process and keeps the supervisor from starting it again. */
  hold(): Promise<void>;
  release(): void;
  resetConnections(): void;
  untilReady(): Promise<void>;
  close(): void;
}

/** Wraps the definition of a process, so that the supervisor starts it when and as the part says. */
export function createPart(definition: ProcessDefinition, supervisor: Supervisor) {
  const proxies: Awaited<ReturnType<typeof openServerProxy>>[] = [];
  const environment: Record<string, string> = {};
  let gate = Promise.resolve();
  let open = () => {};
  let frozen: number[] = [];
  const pid = () => supervisor.processes.find((one) => one.definition.name === definition.name)?.pid() ?? null;
  const signal = (pids: number[], name: NodeJS.Signals) => {
    for (const one of pids) {
      try {
        process.kill(one, name);
      } catch {
        // It has exited.
      }
    }
  };
  const kill = () => signal([pid() ?? []].flat(), 'SIGKILL');

  const part: Part = {
    name: definition.name,
    url: definition.url,
    environment,
    pid,
    kill,
    freeze() {
      frozen = [pid() ?? []].flat().flatMap(treeOf);
      signal(frozen, 'SIGSTOP');
    },
    thaw: () => signal(frozen, 'SIGCONT'),
    async hold() {
      const before = pid();
      gate = new Promise((resolve) => {
        open = resolve;
      });
      kill();
      while (before !== null && pid() === before) await pause(20);
    },
    release: () => open(),
    resetConnections() {
      for (const proxy of proxies) proxy.reset();
    },
    async untilReady() {
      const deadline = Date.now() + readyTimeoutMs;
      for (;;) {
        const failure = pid() === null ? 'not running' : await definition.probe().then(() => undefined, String);
        if (failure === undefined) return;
        if (Date.now() > deadline) throw new Error(`${definition.name} is not ready: ${failure}`);
        await pause(50);
      }
    },
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

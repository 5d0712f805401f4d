import { fileURLToPath } from 'node:url';
import type { Command, ProcessDefinition } from '../supervisor/process.ts';

export const root = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * Without these, starting and serving leave free memory in each process: V8 keeps the space for new objects at its largest, and
 * glibc has a heap for each thread. A smaller space for new objects costs processor time: infra/bench/README.md.
 */
const memoryOptions = ['--max-semi-space-size=8'];
const allocatorSettings = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };

export interface NodeProcessOptions extends Pick<ProcessDefinition, 'name' | 'url' | 'adminUrl'> {
  /** The compiled file, relative to the root of the repository. */
  entry: string;
  env: NodeJS.ProcessEnv;
  /** More options of Node.js. */
  nodeOptions?: string[] | undefined;
  /** Responds with 200 when the process is ready. */
  readyUrl: string;
}

export const nodeProcess = ({ entry, env, readyUrl, nodeOptions, ...rest }: NodeProcessOptions): ProcessDefinition => ({
  ...rest,
  stopSignal: 'SIGTERM',
  // Longer than SHUTDOWN_TIMEOUT.
  stopTimeoutMs: 22_000,
  command: () => nodeCommand(entry, env, nodeOptions),
  async probe() {
    const response = await fetch(readyUrl, { signal: AbortSignal.timeout(5_000) });
    const body = await response.text();
    if (!response.ok) throw new Error(`${readyUrl} responded with ${response.status} ${body.slice(0, 300)}`);
  },
});

export function nodeCommand(entry: string, env: NodeJS.ProcessEnv, nodeOptions: string[] = []): Command {
  const args = [...memoryOptions, ...nodeOptions, entry];
  return { file: process.execPath, args, env: { ...allocatorSettings, ...env }, cwd: root };
}

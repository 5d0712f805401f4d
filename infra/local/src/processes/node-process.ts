import { fileURLToPath } from 'node:url';
import type { Command, ProcessDefinition } from '../supervisor/process-definition.ts';

export const root = fileURLToPath(new URL('../../../../', import.meta.url));

export interface NodeProcessOptions {
  name: string;
  /** The compiled file, relative to the root of the repository. */
  entry: string;
  env: NodeJS.ProcessEnv;
  /** Options of Node.js. */
  nodeOptions?: string[];
  url: string;
  adminUrl?: string;
  /** Responds with 200 when the process is ready. */
  readyUrl: string;
  stopTimeoutMs: number;
}

export function nodeProcess({
  entry,
  env,
  readyUrl,
  nodeOptions = [],
  ...options
}: NodeProcessOptions): ProcessDefinition {
  return {
    ...options,
    stopSignal: 'SIGTERM',
    command: () => nodeCommand(entry, env, nodeOptions),
    async probe() {
      const response = await fetch(readyUrl, { signal: AbortSignal.timeout(5_000) });
      const body = await response.text();
      if (!response.ok) throw new Error(`${readyUrl} responded with ${response.status} ${body.slice(0, 300)}`);
    },
  };
}

export function nodeCommand(entry: string, env: NodeJS.ProcessEnv, nodeOptions: string[] = []): Command {
  return { file: process.execPath, args: [...nodeOptions, entry], env, cwd: root };
}

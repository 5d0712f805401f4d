import { fileURLToPath } from 'node:url';
import type { Command, Part } from '../supervisor/part.ts';

export const root = fileURLToPath(new URL('../../../../', import.meta.url));

export interface NodePartOptions {
  name: string;
  /** Compiled; relative to the root of the repository. */
  entry: string;
  env: NodeJS.ProcessEnv;
  url: string;
  adminUrl?: string;
  /** Answers 200 when the part is ready. */
  readyUrl: string;
  stopWithinMs: number;
}

export function nodePart({ entry, env, readyUrl, ...part }: NodePartOptions): Part {
  return {
    ...part,
    stopSignal: 'SIGTERM',
    command: () => nodeCommand(entry, env),
    async probe() {
      const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(5_000) });
      const body = await answer.text();
      if (!answer.ok) throw new Error(`${readyUrl} answers ${answer.status} ${body.slice(0, 300)}`);
    },
  };
}

export function nodeCommand(entry: string, env: NodeJS.ProcessEnv): Command {
  return { file: process.execPath, args: [entry], env, cwd: root };
}

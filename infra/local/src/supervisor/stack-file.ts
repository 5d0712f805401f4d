import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SupervisedProcess } from './supervise.ts';

/** Entries of stack.json that are not supervised processes. */
export type ExternalServers = Record<string, Record<string, string | null>>;

export interface StackFile {
  readonly path: string;
  write(external: ExternalServers, processes: readonly SupervisedProcess[]): void;
  remove(): void;
}

/** `stack.json` contains the addresses of all processes. They include passwords, so only the owner may read it. */
export function openStackFile(directory: string): StackFile {
  const path = join(directory, 'stack.json');
  return {
    path,
    write(external, processes) {
      const running = processes.map((one) => {
        const { url, adminUrl } = one.definition;
        return [camelCase(one.definition.name), { url, ...(adminUrl ? { adminUrl } : {}), pid: one.pid() }] as const;
      });
      const text = JSON.stringify({ ...external, ...Object.fromEntries(running) }, null, 2);
      writeFileSync(`${path}.tmp`, `${text}\n`, { mode: 0o600 });
      renameSync(`${path}.tmp`, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

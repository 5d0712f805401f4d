import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeptPart } from './keep-running.ts';

/** What runs somewhere else, or is no process at all. */
export type Elsewhere = Record<string, Record<string, string | null>>;

export interface StackFile {
  readonly path: string;
  write(elsewhere: Elsewhere, parts: readonly KeptPart[]): void;
  remove(): void;
}

/** `stack.json` says where everything is. It names passwords, so that only its owner may read it. */
export function openStackFile(directory: string): StackFile {
  const path = join(directory, 'stack.json');
  return {
    path,
    write(elsewhere, parts) {
      const running = parts.map((kept) => {
        const { url, adminUrl } = kept.part;
        return [camelCase(kept.part.name), { url, ...(adminUrl ? { adminUrl } : {}), pid: kept.pid() }] as const;
      });
      const text = JSON.stringify({ ...elsewhere, ...Object.fromEntries(running) }, null, 2);
      writeFileSync(`${path}.tmp`, `${text}\n`, { mode: 0o600 });
      renameSync(`${path}.tmp`, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

import { existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const tailLines = 30;

export interface ProcessLog {
  path: string;
  /** Opens the file for appending and writes a heading for the new run. The caller closes the descriptor. */
  open(): number;
  /** The last lines of the latest run. */
  tail(): string;
}

export function openLog(directory: string, name: string): ProcessLog {
  const path = join(directory, `${name}.log`);
  const heading = `--- ${name} starts `;
  return {
    path,
    open() {
      mkdirSync(directory, { recursive: true });
      const descriptor = openSync(path, 'a');
      writeSync(descriptor, `${heading}${new Date().toISOString()}\n`);
      return descriptor;
    },
    tail() {
      if (!existsSync(path)) return '';
      const latest = readFileSync(path, 'utf8').split(heading).at(-1) ?? '';
      return latest.trimEnd().split('\n').slice(1).slice(-tailLines).join('\n');
    },
  };
}

import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from './process-definition.ts';

const tailLines = 30;

export interface ProcessLog {
  /** Opens the file for appending and writes a heading for the new run. The caller closes the descriptor. */
  open(): number;
  /** The last lines of the latest run. */
  tail(): string;
}

export function openLog(directory: string, name: string): ProcessLog {
  const path = join(directory, `${name}.log`);
  const heading = `--- ${name} starts `;
  return {
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

export interface Running {
  pid: number | undefined;
  /** Resolves with the reason of the exit, or an empty string for exit code 0. Never rejects. */
  ended: Promise<string>;
}

/** Starts a process in its own session, so that Ctrl-C in the terminal reaches the supervisor only. */
export function launch(command: Command, log: ProcessLog): Running {
  const descriptor = log.open();
  const { file, args, ...options } = command;
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', descriptor, descriptor] });
  closeSync(descriptor);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `killed by ${signal}` : code ? `exit code ${code}` : ''));
  });
  return { pid: child.pid, ended };
}

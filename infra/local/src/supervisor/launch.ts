import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { PartLog } from './logs.ts';
import type { Command } from './part.ts';

export interface Running {
  pid: number | undefined;
  /** How it ended, in words; never rejects. Empty for exit code 0. */
  ended: Promise<string>;
}

/** Starts a process in a session of its own: a Ctrl-C in the terminal reaches the supervisor only. */
export function launch(command: Command, log: PartLog): Running {
  const descriptor = log.open();
  const { file, args, ...options } = command;
  const child = spawn(file, args, { ...options, detached: true, stdio: ['ignore', descriptor, descriptor] });
  closeSync(descriptor);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : code ? `exit code ${code}` : ''));
  });
  return { pid: child.pid, ended };
}

import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { ProcessLog } from './logs.ts';
import type { Command } from './process-definition.ts';

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

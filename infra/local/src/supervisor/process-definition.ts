export interface Command {
  file: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
}

/** A command that runs to completion and must exit with 0. */
export interface Task {
  name: string;
  command: Command;
}

/** A process of the stack, and how to start, probe and stop it. */
export interface ProcessDefinition {
  /** In kebab-case. The name of the log file and, in camelCase, of the entry in stack.json. */
  name: string;
  url: string;
  adminUrl?: string;
  /** Called once, before the first start. */
  prepare?(runTask: (task: Task) => Promise<void>): Promise<void>;
  /** Called before every start, so it can also clean up after a process that was killed. */
  command(): Promise<Command> | Command;
  /** Rejects while the process is not ready. */
  probe(): Promise<void>;
  stopSignal: NodeJS.Signals;
  stopTimeoutMs: number;
}

/** A process or task that failed, with the end of its log. */
export class StartFailed extends Error {
  override name = 'StartFailed';
  readonly logTail: string;
  constructor(processName: string, reason: string, logTail = '') {
    super(`${processName}: ${reason}`);
    this.logTail = logTail;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

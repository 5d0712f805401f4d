export interface Command {
  file: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
}

/** A command that ends by itself and must succeed. */
export interface Task {
  name: string;
  command: Command;
}

/** One process of the stack and how to deal with it. */
export interface Part {
  /** kebab-case; names the log file and, in camelCase, the entry of stack.json. */
  name: string;
  url: string;
  adminUrl?: string;
  /** Once, before the first start. */
  prepare?(runTask: (task: Task) => Promise<void>): Promise<void>;
  /** Before every start, which makes it the place to clear up what a killed predecessor left. */
  command(): Promise<Command> | Command;
  /** Throws while the part is not ready. */
  probe(): Promise<void>;
  stopSignal: NodeJS.Signals;
  stopWithinMs: number;
}

/** Why a part or a task failed, with the end of its log. */
export class PartFailed extends Error {
  override name = 'PartFailed';
  readonly part: string;
  readonly logTail: string;
  constructor(part: string, reason: string, logTail = '') {
    super(`${part}: ${reason}`);
    this.part = part;
    this.logTail = logTail;
  }
}

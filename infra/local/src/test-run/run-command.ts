import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface CommandResult {
  code: number;
  output: string;
}

const running = new Set<ChildProcess>();

// A test run that is told to end takes its children along.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const child of running) child.kill('SIGTERM');
    process.exitCode = 1;
  });

export interface CommandOptions {
  env?: NodeJS.ProcessEnv;
  /** Gets the output as it comes; the terminal unless given. */
  show?: (chunk: Buffer) => void;
  /** How long it may take before it is killed; for ever unless given. */
  timeoutMs?: number;
}

/** Runs a command to its end, showing its output and keeping it. */
export async function runCommand(
  file: string,
  args: string[],
  { env = {}, show = (chunk) => process.stdout.write(chunk), timeoutMs = 0 }: CommandOptions = {},
): Promise<CommandResult> {
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  running.add(child);
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      show(chunk);
    });
  const [code] = await once(child, 'close');
  running.delete(child);
  return { code: code ?? 1, output: Buffer.concat(chunks).toString() };
}

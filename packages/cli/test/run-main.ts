import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@lms/testing/wait-for';
import type { Test } from 'tap';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Runs the command line in a folder. It is killed at the end of the test. */
export function runMain(t: Test, cwd: string, args: string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [main, ...args], { cwd, env: { ...process.env, ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  t.teardown(() => child.kill('SIGKILL'));
  return {
    output: () => text,
    printed: (expected: string) => waitFor(() => text.includes(expected), { until: expected }),
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** The exit code, or null after a signal. */
    ended: new Promise<number | null>((resolve) => child.once('close', resolve)),
  };
}

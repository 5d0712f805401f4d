import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs a compiled file in its own process with the given environment, and waits for its exit. */
export const runScript = (file: URL, environment: Record<string, string>, ...args: string[]) =>
  new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    const env = { PATH: process.env.PATH, ...environment };
    execFile(process.execPath, [fileURLToPath(file), ...args], { env }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    );
  });

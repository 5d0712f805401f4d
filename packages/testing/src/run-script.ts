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

interface Streams {
  argv: string[];
  env: NodeJS.ProcessEnv;
  stdout: { write: (text: string) => void };
  stderr: { write: (text: string) => void };
}

/** Does the same with the body of a script in this process, which takes none of the second of processor time of a start. */
export async function runBody(
  body: (streams: Streams) => Promise<number>,
  environment: Record<string, string>,
  ...args: string[]
) {
  const [out, err]: [string[], string[]] = [[], []];
  const stdout = { write: (text: string) => void out.push(text) };
  const stderr = { write: (text: string) => void err.push(text) };
  const code = await body({ argv: [process.execPath, '', ...args], env: environment, stdout, stderr });
  return { code, out: out.join(''), err: err.join('') };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

// The limits themselves are tested at the gateway; here one address plays many people.
const roomy = '1000000';
const settings = {
  GATEWAY_PORT: '0',
  IDP_PORT: '0',
  RATE_LIMIT_GENERAL: roomy,
  RATE_LIMIT_AUTH: roomy,
  RATE_LIMIT_UPLOAD: roomy,
  RATE_LIMIT_WEBHOOK: roomy,
};

/** `npm start` in a directory of its own, on free ports. */
export async function startSystem(directory: string) {
  const child = spawn(process.execPath, ['infra/local/run.mjs', 'start'], {
    env: { ...process.env, ...settings, DATA_DIR: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ready = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += String(chunk);
        if (/system is ready/.test(output)) resolve(true);
      });
  });
  const exited = once(child, 'exit');
  if (!(await Promise.race([ready, exited.then(() => false)]))) throw new Error(`the system did not start:\n${output}`);

  const stack = JSON.parse(await readFile(join(directory, 'stack.json'), 'utf8'));
  return {
    gatewayUrl: String(stack.gateway.url),
    providerUrl: String(stack.identityProvider.url),
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      if (code !== 0) throw new Error(`the system ended with ${code}:\n${output}`);
    },
  };
}

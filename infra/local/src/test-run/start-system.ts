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
  console.log('\n── the whole system');
  const child = spawn(process.execPath, ['infra/local/run.mjs', 'start'], {
    env: { ...process.env, ...settings, DATA_DIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.pipe(process.stdout, { end: false });
  const exited = once(child, 'exit');
  const outcome = await Promise.race([readyLine(child.stdout), exited.then(() => 'exited')]);
  if (outcome === 'exited') throw new Error('the system did not start');

  const stack = JSON.parse(await readFile(join(directory, 'stack.json'), 'utf8'));
  return {
    gatewayUrl: String(stack.gateway.url),
    providerUrl: String(stack.identityProvider.url),
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      if (code !== 0) throw new Error(`the system ended with ${code}`);
    },
  };
}

function readyLine(output: NodeJS.ReadableStream): Promise<'ready'> {
  return new Promise((resolve) => {
    let seen = '';
    output.on('data', (chunk) => {
      seen += String(chunk);
      if (/system is ready/.test(seen)) resolve('ready');
    });
  });
}

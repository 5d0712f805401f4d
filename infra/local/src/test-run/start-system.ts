import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

// Rate limits are tested in gateway/test; the acceptance tests send the requests of many users from one address.
const highLimit = '1000000';
const settings = {
  // The system of infra/recovery/test transcodes its video with the default preset.
  ENCODER_PRESET: 'ultrafast',
  ENCODER_THREADS: '1',
  GATEWAY_PORT: '0',
  IDP_PORT: '0',
  RATE_LIMIT_GENERAL: highLimit,
  RATE_LIMIT_AUTH: highLimit,
  RATE_LIMIT_UPLOAD: highLimit,
  RATE_LIMIT_WEBHOOK: highLimit,
  RATE_LIMIT_PLAYBACK: highLimit,
};

/** Runs `npm start` with its own data directory and free ports. */
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
      if (code !== 0) throw new Error(`the system exited with ${code}:\n${output}`);
    },
  };
}

import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import type { Test } from 'tap';
import { resolvePath } from './read-queries.ts';

const entries = {
  gateway: 'gateway/dist/main.js',
  identity: 'services/identity/dist/main.js',
  content: 'services/content/dist/main.js',
  media: 'services/media/dist/main.js',
  'media-worker': 'services/media/dist/worker-main.js',
  enrollment: 'services/enrollment/dist/main.js',
};
export type ProcessName = keyof typeof entries;

/** Starts a process. By default, all its dependencies are unreachable. */
export async function startProcess(t: Test, name: ProcessName, settings: Record<string, string> = {}) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const unreachable = '127.0.0.1:1';
  const child = spawn(process.execPath, [entries[name]], {
    cwd: resolvePath('.'),
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      LOG_LEVEL: 'silent',
      PUBLIC_URL: 'http://127.0.0.1:1',
      DATABASE_URL: `postgres://user:password@${unreachable}/none`,
      NATS_URL: `nats://${unreachable}`,
      REDIS_URL: `redis://${unreachable}`,
      IDENTITY_URL: `http://${unreachable}`,
      CONTENT_URL: `http://${unreachable}`,
      MEDIA_URL: `http://${unreachable}`,
      ENROLLMENT_URL: `http://${unreachable}`,
      IDP_ISSUER: `http://${unreachable}`,
      IDP_JWKS_URL: `http://${unreachable}/jwks`,
      PASSPORT_PRIVATE_KEY: privateKey,
      PASSPORT_PUBLIC_KEY: publicKey,
      SERVICE_SECRET: 'a secret of at least 32 characters',
      PLAYBACK_SECRET: 'a secret that is long enough',
      STORAGE_PATH: t.testdir(),
      WORK_PATH: t.testdir(),
      ...settings,
    },
  });
  t.teardown(() => child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const fetchMetrics = () =>
    fetch(`http://127.0.0.1:${adminPort}/metrics`)
      .then(async (response) => (response.ok ? response.text() : undefined))
      .catch(() => undefined);
  // The private port opens before the public one.
  const isStarted = () =>
    fetch(`http://127.0.0.1:${adminPort}/startupz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`${name} exited: ${errors}`);
      return isStarted();
    },
    { until: `${name} to start`, timeoutMs: 60_000 },
  );
  return {
    url: `http://127.0.0.1:${port}`,
    fetchMetrics: async () => (await fetchMetrics()) ?? '',
  };
}

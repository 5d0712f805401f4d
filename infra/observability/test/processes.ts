import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import type { Test } from 'tap';
import { locate } from './read-queries.ts';

const entries = {
  gateway: 'gateway/dist/main.js',
  identity: 'services/identity/dist/main.js',
  content: 'services/content/dist/main.js',
  media: 'services/media/dist/main.js',
  enrollment: 'services/enrollment/dist/main.js',
};
export type Name = keyof typeof entries;

/** A process of ours. Unless settings say otherwise, nothing that it needs is there. */
export async function startProcess(t: Test, name: Name, settings: Record<string, string> = {}) {
  const [port, adminPort, nobody] = [await freePort(), await freePort(), await freePort()];
  const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const away = `127.0.0.1:${nobody}`;
  const child = spawn(process.execPath, [entries[name]], {
    cwd: locate('.'),
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      PORT: String(port),
      ADMIN_PORT: String(adminPort),
      LOG_LEVEL: 'silent',
      PUBLIC_URL: 'http://127.0.0.1:1',
      DATABASE_URL: `postgres://nobody:nothing@${away}/none`,
      NATS_URL: `nats://${away}`,
      REDIS_URL: `redis://${away}`,
      IDENTITY_URL: `http://${away}`,
      CONTENT_URL: `http://${away}`,
      MEDIA_URL: `http://${away}`,
      ENROLLMENT_URL: `http://${away}`,
      IDP_ISSUER: `http://${away}`,
      IDP_JWKS_URL: `http://${away}/jwks`,
      PASSPORT_PRIVATE_KEY: privateKey,
      PASSPORT_PUBLIC_KEY: publicKey,
      PLAYBACK_SECRET: 'a secret that is long enough',
      STORAGE_PATH: t.testdir(),
      ...settings,
    },
  });
  t.teardown(() => child.kill('SIGKILL'));
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const tell = () =>
    fetch(`http://127.0.0.1:${adminPort}/metrics`)
      .then(async (answer) => (answer.ok ? answer.text() : undefined))
      .catch(() => undefined);
  // The private port opens before the public one.
  const isStarted = () =>
    fetch(`http://127.0.0.1:${adminPort}/startupz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`${name} ended: ${complaints}`);
      return isStarted();
    },
    { until: `${name} to start`, timeoutMs: 60_000 },
  );
  return {
    url: `http://127.0.0.1:${port}`,
    /** What it tells of itself. */
    tell: async () => (await tell()) ?? '',
  };
}

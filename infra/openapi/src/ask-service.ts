import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { entryOf } from './document-file.ts';

export interface Operation {
  tags?: string[];
  operationId?: string;
  security?: Record<string, string[]>[];
  [name: string]: unknown;
}

/** The parts of an OpenAPI document that are merged. */
export interface ServiceDocument {
  paths: Record<string, Record<string, Operation>>;
}

const startMs = 120_000;
const nowhere = 'http://127.0.0.1:9';

// A service starts and serves its document without the servers that it depends on; none of these is reached.
const settings = {
  DATABASE_URL: 'postgres://none@127.0.0.1:9/none',
  NATS_URL: 'nats://127.0.0.1:9',
  IDENTITY_URL: nowhere,
  CONTENT_URL: nowhere,
  MEDIA_URL: nowhere,
  ENROLLMENT_URL: nowhere,
  PUBLIC_URL: nowhere,
  STORAGE: 'file',
  STORAGE_PATH: '.data/openapi',
  SERVICE_SECRET: 'a-secret-that-signs-nothing-at-all',
  PLAYBACK_SECRET: 'a-secret-that-signs-nothing-at-all',
  WEBHOOK_SECRETS: 'a-secret-that-signs-nothing-at-all',
  LOG_LEVEL: 'fatal',
};

/** Starts a service, requests its document on the private port, and stops it. */
export async function askService(service: string): Promise<ServiceDocument> {
  const port = await freePort();
  const { publicKey } = generateKeyPairSync('ed25519');
  const env = {
    ...process.env,
    ...settings,
    ADMIN_PORT: String(port),
    PASSPORT_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  };
  const child = spawn(process.execPath, [entryOf(service)], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exited = once(child, 'exit');
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  try {
    const ended = exited.then(([code]) => Promise.reject(new Error(`${service} ended with ${code}`)));
    return await Promise.race([ask(service, `http://127.0.0.1:${port}/openapi.json`), ended]);
  } finally {
    end();
    await exited;
    process.off('exit', end);
  }
}

async function ask(service: string, url: string): Promise<ServiceDocument> {
  const deadline = Date.now() + startMs;
  while (Date.now() < deadline) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return parse(await response.json());
    if (response) throw new Error(`${service} responded with ${response.status}: ${await response.text()}`);
    await pause(100);
  }
  throw new Error(`${service} did not serve its document within ${startMs} ms`);
}

function parse(document: unknown): ServiceDocument {
  const { paths } = Object(document);
  if (typeof paths !== 'object') throw new Error('not an OpenAPI document');
  return { paths };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeProcess } from 'local/processes/node-process';
import { createSupervisor } from 'local/supervisor';

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

/** Starts services, requests their documents on the private ports, and stops them. */
export async function readServiceDocuments(services: readonly string[]): Promise<ServiceDocument[]> {
  const logDirectory = await mkdtemp(join(tmpdir(), 'lms-openapi-'));
  const supervisor = createSupervisor({ logDirectory });
  const { publicKey } = generateKeyPairSync('ed25519');
  const PASSPORT_PUBLIC_KEY = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const define = (name: string, port = 0) => {
    const url = `http://127.0.0.1:${port}`;
    const env = { ...process.env, ...settings, PASSPORT_PUBLIC_KEY, ADMIN_PORT: String(port) };
    const definition = { name, entry: `services/${name}/dist/main.js`, env, url, readyUrl: `${url}/openapi.json` };
    return { ...nodeProcess(definition), stopSignal: 'SIGKILL' as const };
  };
  try {
    return await supervisor.onFreePorts(services.length, async (ports) => {
      const definitions = services.map((name, at) => define(name, ports[at]));
      await supervisor.start(definitions);
      return Promise.all(definitions.map(async ({ url }) => parse(await (await fetch(`${url}/openapi.json`)).json())));
    });
  } finally {
    await supervisor.stop();
    await rm(logDirectory, { recursive: true });
  }
}

function parse(document: unknown): ServiceDocument {
  const { paths } = Object(document);
  if (typeof paths !== 'object') throw new Error('not an OpenAPI document');
  return { paths };
}

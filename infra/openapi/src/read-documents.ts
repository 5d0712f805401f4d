import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Success } from '@lms/contracts/envelope';
import { Plan } from '@lms/contracts/passport';
import { Nullable, Timestamp } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';

export interface Parameter {
  name: string;
  in: string;
  description?: string;
  required?: boolean;
  example?: unknown;
  schema: Record<string, unknown>;
}

export interface Body {
  content?: Record<string, { schema: object; example?: unknown }>;
  headers?: object;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: Body & { required?: boolean };
  responses: Record<string, Body>;
  [extension: `x-${string}`]: unknown;
}

export type Paths = Record<string, Record<string, Operation>>;

export const root = fileURLToPath(new URL('../../../', import.meta.url));
const nowhere = 'http://127.0.0.1:9';
const secret = 'a-secret-that-signs-nothing-at-all';

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
  SERVICE_SECRET: secret,
  PLAYBACK_SECRET: secret,
  WEBHOOK_SECRETS: secret,
};

/** Starts a service, requests its document on the private port, and ends it. */
async function readDocument(service: string): Promise<Paths> {
  const { publicKey } = generateKeyPairSync('ed25519');
  const PASSPORT_PUBLIC_KEY = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const child = spawn(process.execPath, [`services/${service}/dist/main.js`], {
    cwd: root,
    env: { ...process.env, ...settings, PASSPORT_PUBLIC_KEY, ADMIN_PORT: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const line of createInterface(child.stdout)) {
      const { msg, adminAddress } = JSON.parse(line);
      if (msg !== 'listening') continue;
      const response = await fetch(`http://127.0.0.1:${adminAddress.port}/openapi.json`);
      return JSON.parse(await response.text()).paths;
    }
    throw new Error(`${service} ended before it served its document`);
  } finally {
    child.kill('SIGKILL');
  }
}

const Quota = Type.Object({ used: Type.Integer(), limit: Nullable(Type.Integer({ description: 'null: unlimited' })) });
const Usage = Type.Object({
  plan: Plan,
  period: Type.Object({ start: Timestamp(), end: Timestamp() }),
  apiCalls: Quota,
  uploads: Quota,
});

/** The routes that the gateway serves itself. */
const gatewayPaths: Paths = {
  '/api/auth/usage': {
    get: {
      operationId: 'getUsage',
      tags: ['Account'],
      summary: "The caller's quotas of this month",
      description:
        'Calls and uploads of the current UTC month against the limits of the plan. Admins are exempt from quotas.',
      security: [{ bearer: [] }],
      responses: { 200: { content: { 'application/json': { schema: Success(Usage) } } }, 401: {}, 403: {} },
    },
  },
};

/** The paths of all services and of the gateway. */
export async function readDocuments(): Promise<Paths[]> {
  const services = ['identity', 'content', 'media', 'enrollment'];
  return [...(await Promise.all(services.map(readDocument))), gatewayPaths];
}

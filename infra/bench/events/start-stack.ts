import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@lms/testing/wait-for';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { cpuSecondsOfFamily } from '../harness/processes.ts';
import { signIn } from '../rolling/read-seed-data.ts';

const Part = Type.Object({ url: Type.String(), pid: Type.Integer() });
const StackFile = Type.Object({
  gateway: Part,
  identityProvider: Part,
  content: Part,
  enrollment: Part,
  nats: Part,
  postgres: Part,
});
type StackFile = Static<typeof StackFile>;

const limits = { RATE_LIMIT_GENERAL: '100000000', RATE_LIMIT_AUTH: '100000000', QUOTAS_ENABLED: 'false' };

/** Starts the local stack as `npm start` does, with its own data. */
export async function startStack() {
  const directory = await mkdtemp(join(tmpdir(), 'lms-events-'));
  const script = fileURLToPath(new URL('../../local/run.mjs', import.meta.url));
  const settings = { DATA_DIR: directory, SEED: 'false', GATEWAY_PORT: '0', IDP_PORT: '0', LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [script, 'start'], {
    env: { ...process.env, ...limits, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  process.once('exit', () => child.kill());
  const parts = await waitFor(() => readReady(directory), { timeoutMs: 180_000, until: 'the stack' });
  const admin = await signIn(parts.identityProvider.url, 'admin@lms.test');

  return {
    /** The address of a service's database, as superuser. */
    databaseUrl(name: string) {
      const url = new URL(parts.postgres.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    /** Processor time of a part, in seconds. PostgreSQL has a process for each session. */
    processorSeconds: (name: keyof StackFile) => cpuSecondsOfFamily(parts[name].pid),
    /** A request of the admin through the gateway, repeated after a 503. Returns the `data` of the response. */
    async request(method: string, path: string, body?: object): Promise<unknown> {
      const json = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      const send = () =>
        fetch(`${parts.gateway.url}/api${path}`, {
          method,
          headers: { authorization: `Bearer ${admin}`, ...(body && json) },
          ...(body && { body: JSON.stringify(body) }),
        });
      const respond = async () => {
        const response = await send();
        return response.status === 503 ? undefined : response;
      };
      const response = await waitFor(respond, { timeoutMs: 60_000, until: `${method} ${path}` });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return Object(await response.json()).data;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function readReady(directory: string): Promise<StackFile | undefined> {
  const text = await readFile(join(directory, 'stack.json'), 'utf8').catch(() => '{}');
  const parts: unknown = JSON.parse(text);
  if (!Value.Check(StackFile, parts)) return undefined;
  const response = await fetch(`${parts.gateway.url}/readyz`).catch(() => undefined);
  return response?.ok ? parts : undefined;
}

import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@lms/testing/wait-for';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { ProcessDefinition } from 'local/process-definition';
import { loadSettings } from 'local/settings';
import { startStack } from 'local/start-stack';
import { createSupervisor } from 'local/supervisor';
import { compile } from '../../local/compile.mjs';
import { root } from './processes.ts';

// All clients have the same address, and the limits are not what is measured.
const unlimited = '100000000';
const limits = { RATE_LIMIT_GENERAL: unlimited, RATE_LIMIT_AUTH: unlimited, RATE_LIMIT_UPLOAD: unlimited };

interface Options {
  settings?: Record<string, string>;
  /** Starts a process in another way, if it returns a promise. */
  start?: (definition: ProcessDefinition, logDirectory: string) => Promise<void> | undefined;
}

/** Starts the local stack as `npm start` does, with its own data and without limits. */
export async function startLocalStack({ settings = {}, start = () => undefined }: Options = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'lms-bench-'));
  const logDirectory = join(directory, 'logs');
  await compile(root);
  const own = { DATA_DIR: directory, GATEWAY_PORT: '0', IDP_PORT: '0', LOG_LEVEL: 'warn', QUOTAS_ENABLED: 'false' };
  const environment = { ...process.env, ...limits, ...own, ...settings };
  const supervisor = createSupervisor({ logDirectory });
  const startAll = async (all: ProcessDefinition[]) => {
    for (const one of all) await (start(one, logDirectory) ?? supervisor.start([one]));
  };
  const stack = { supervisor: { ...supervisor, start: startAll }, addExternal: () => undefined };
  const report = () => undefined;
  const { addresses } = await startStack(stack, {
    settings: loadSettings(environment),
    environment,
    directory,
    report,
  });
  const provider = addresses.identityProvider.url;
  const gateway = addresses.gateway.url;
  const admin = await signIn(provider, 'admin@lms.test');
  const processOf = (name: string) => {
    const found = supervisor.processes.find(({ definition }) => definition.name === name);
    if (!found) throw new Error(`there is no process ${name}`);
    return found;
  };

  return {
    gateway,
    provider,
    logDirectory,
    pidsOf: (...names: string[]) => Object.fromEntries(names.map((name) => [name, processOf(name).pid() ?? 0])),
    /** The address of a service's database, as superuser. */
    databaseUrl: (name: string) =>
      Object.assign(new URL(processOf('postgres').definition.url), { pathname: `/${name}` }).href,
    /** A request of the admin through the gateway, repeated after a 503. Returns the `data` of the response. */
    async request(method: string, path: string, body?: object): Promise<unknown> {
      const isForm = body instanceof FormData;
      const json = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
      const respond = async () => {
        const response = await fetch(`${gateway}/api${path}`, {
          method,
          headers: { authorization: `Bearer ${admin}`, ...(body && !isForm && json) },
          ...(body && { body: isForm ? body : JSON.stringify(body) }),
        });
        return response.status === 503 ? undefined : response;
      };
      const response = await waitFor(respond, { until: `${method} ${path}` });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return Object(await response.json()).data;
    },
    stop: () => supervisor.stop(),
    /** Unless the logs are still needed. */
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

export async function signIn(provider: string, username: string): Promise<string> {
  const form = { grant_type: 'password', client_id: 'lms-local', username, password: 'password' };
  const response = await fetch(`${provider}/token`, { method: 'POST', body: new URLSearchParams(form) });
  return Value.Parse(Type.Object({ access_token: Type.String() }), await response.json()).access_token;
}

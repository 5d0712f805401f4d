import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { waitFor } from '@lms/testing/wait-for';
import type { ProcessDefinition } from 'local/process';
import { signIn } from 'local/running-stack';
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
  start?: (definition: ProcessDefinition) => Promise<void> | undefined;
}

/** Starts the local stack as `npm start` does, with its own data and without limits. */
export async function startLocalStack(directory: string, { settings = {}, start = () => undefined }: Options = {}) {
  await compile(root);
  const own = { DATA_DIR: directory, GATEWAY_PORT: '0', IDP_PORT: '0', LOG_LEVEL: 'warn', QUOTAS_ENABLED: 'false' };
  const environment = { ...process.env, ...limits, ...own, ...settings };
  const supervisor = createSupervisor({ logDirectory: join(directory, 'logs') });
  const startAll = async (all: ProcessDefinition[]) => {
    for (const one of all) await (start(one) ?? supervisor.start([one]));
  };
  const { addresses } = await startStack(
    { ...supervisor, start: startAll },
    {
      ...{ settings: loadSettings(environment), environment, directory },
      report: () => undefined,
    },
  );
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
      return dataOf(await waitFor(respond, { until: `${method} ${path}` }));
    },
    stop: supervisor.stop,
  };
}

/** The `data` of a response. */
async function dataOf(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  return Object(await response.json()).data;
}

/** The `data` of a read, without a token as a visitor. */
export const readData = async (gateway: string, path: string, token?: string) =>
  dataOf(await fetch(`${gateway}/api${path}`, { headers: token ? { authorization: `Bearer ${token}` } : {} }));

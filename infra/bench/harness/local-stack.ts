import { join } from 'node:path';
import { createClient } from '@lms/client';
import { waitFor } from '@lms/testing/wait-for';
import type { ProcessDefinition } from 'local/process';
import { root } from 'local/processes/node-process';
import { signIn } from 'local/running-stack';
import { loadSettings } from 'local/settings';
import { startStack } from 'local/start-stack';
import { createSupervisor } from 'local/supervisor';
import { compile } from '../../local/compile.mjs';

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
  const processOf = (name: string) => {
    const found = supervisor.processes.find(({ definition }) => definition.name === name);
    if (!found) throw new Error(`there is no process ${name}`);
    return found;
  };
  const gateway = addresses.gateway.url;
  const provider = addresses.identityProvider.url;
  const token = await signIn(provider, 'admin@lms.test');
  // Just after the start, a service may respond with 503 although it is ready.
  const respond = (request: Request) => async () => {
    const response = await fetch(request.clone());
    return response.status === 503 ? undefined : response;
  };

  return {
    gateway,
    provider,
    /** The client of an administrator. */
    admin: createClient({ baseUrl: gateway, token: () => token, fetch: (request) => waitFor(respond(request)) }),
    pidsOf: (...names: string[]) => Object.fromEntries(names.map((name) => [name, processOf(name).pid() ?? 0])),
    /** The address of a service's database, as superuser. */
    databaseUrl: (name: string) =>
      Object.assign(new URL(processOf('postgres').definition.url), { pathname: `/${name}` }).href,
    stop: supervisor.stop,
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPassportKeys } from '@lms/auth/passport-keys';
import { testServiceSecret } from '@lms/testing/principals';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { compile } from '../../local/compile.mjs';

export { freePort };

export const root = fileURLToPath(new URL('../../../', import.meta.url));

type Environment = Record<string, string>;

export interface Started {
  url: string;
  pid: number;
}

/** Starts the processes of a measurement, and stops them together. */
export function createProcesses(directory: string) {
  const running: ChildProcess[] = [];
  const kill = () => {
    for (const child of running) child.kill('SIGKILL');
  };
  // Also if the measurement fails where nothing catches it.
  process.once('exit', kill);

  async function start(name: string, command: string, args: string[], environment: Environment = {}) {
    // Directly into a file, as npm start does: reading the output here would take processor time from the measured process.
    const log = openSync(`${directory}/${name}.log`, 'a');
    const child = spawn(command, args, {
      env: { PATH: process.env.PATH, NODE_ENV: 'production', ...environment },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    running.push(child);
    await once(child, 'spawn');
    return Number(child.pid);
  }

  async function startNode(name: string, args: string[], { PORT, ...environment }: Environment): Promise<Started> {
    const port = PORT ?? String(await freePort());
    const pid = await start(name, process.execPath, args, { ...environment, PORT: port });
    const url = `http://127.0.0.1:${port}`;
    await untilReachable(url);
    return { url, pid };
  }

  /** Starts the gateway or a service, compiled as it is deployed. `services` stands for all others, unless settings name them. */
  async function startPart(name: string, services: string, settings: Environment, options: string[] = []) {
    await compile(root);
    const file = name === 'gateway' ? 'gateway/dist/main.js' : `services/${name}/dist/main.js`;
    return startNode(name, [...options, join(root, file)], {
      ...{ IDENTITY_URL: services, CONTENT_URL: services, MEDIA_URL: services, ENROLLMENT_URL: services },
      LOG_LEVEL: 'warn',
      ...settings,
    });
  }

  return {
    start,
    /** Starts a TypeScript file of this folder on a free port. */
    startScript: (name: string, file: string, environment: Environment = {}) =>
      startNode(name, ['--conditions=lms-source', '--import', 'tsx', join(root, 'infra/bench', file)], environment),
    startGateway: (services: string, settings: Environment) =>
      startPart('gateway', services, {
        ...{ IDP_ISSUER: services, IDP_JWKS_URL: `${services}/jwks`, RATE_LIMIT_GENERAL: '1000000000' },
        PASSPORT_PRIVATE_KEY: createPassportKeys().privateKey,
        ...settings,
      }),
    startService: (name: string, services: string, settings: Environment, options?: string[]) =>
      startPart(name, services, { PUBLIC_URL: services, SERVICE_SECRET: testServiceSecret, ...settings }, options),
    /** Ends a process and waits until it has written what it writes at its end. */
    async stop(pid: number) {
      const child = running.find((one) => one.pid === pid);
      if (!child || child.exitCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
    async end() {
      const exited = running.map((child) => child.exitCode ?? once(child, 'exit'));
      kill();
      await Promise.all(exited);
    },
  };
}

export const untilReachable = (url: string) =>
  waitFor(
    () =>
      fetch(url).then(
        ({ status }) => status < 500,
        () => false,
      ),
    { until: url },
  );

/** Waits until a gateway has these connections, as the checks of its `/readyz` say. */
export const untilConnected = (gatewayUrl: string, ...connections: ('redis' | 'nats' | 'keys')[]) =>
  waitFor(
    async () => {
      const { checks = {} } = Object(await (await fetch(`${gatewayUrl}/readyz`)).json());
      return connections.every((name) => checks[name] === 'ok');
    },
    { until: 'the gateway' },
  );

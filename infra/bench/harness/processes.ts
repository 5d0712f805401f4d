import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPassportKeys } from '@lms/auth/passport-keys';
import { createPassportSigner } from '@lms/auth/sign-passport';
import { testServiceSecret } from '@lms/testing/principals';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { compile } from '../../local/compile.mjs';

export { freePort };

export const root = fileURLToPath(new URL('../../../', import.meta.url));

type Environment = NodeJS.ProcessEnv;

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
    const log = openSync(join(directory, 'logs', `${name}.log`), 'a');
    const child = spawn(command, args, {
      cwd: root,
      env: { PATH: process.env.PATH, NODE_ENV: 'production', ...environment },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    running.push(child);
    await once(child, 'spawn');
    return Number(child.pid);
  }

  const childOf = (pid: number) => running.find((child) => child.pid === pid);

  async function startNode(name: string, args: string[], { PORT, ...environment }: Environment): Promise<Started> {
    const port = PORT ?? String(await freePort());
    const pid = await start(name, process.execPath, args, { ...environment, PORT: port });
    const url = `http://127.0.0.1:${port}`;
    await untilReachable(url);
    return { url, pid };
  }

  /** Starts a TypeScript file of this folder on a free port. */
  const startScript = (name: string, file: string, environment: Environment = {}) =>
    startNode(name, ['--conditions=lms-source', '--import', 'tsx', join(root, 'infra/bench', file)], environment);

  /** Starts the gateway or a service, compiled as it is deployed. `services` stands for all others, unless settings name them. */
  async function startPart(name: string, services: string, settings: Environment, options: string[] = []) {
    await compile(root);
    const file = name === 'gateway' ? 'gateway/dist/main.js' : `services/${name}/dist/main.js`;
    return startNode(name, [...options, join(root, file)], {
      ...{ IDENTITY_URL: services, CONTENT_URL: services, MEDIA_URL: services, ENROLLMENT_URL: services },
      // Nothing listens there.
      ...{ NATS_URL: 'nats://127.0.0.1:9', REDIS_URL: 'redis://127.0.0.1:9' },
      LOG_LEVEL: 'warn',
      ...settings,
    });
  }

  const passportKeys = createPassportKeys();

  return {
    start,
    startScript,
    /** Starts what stands for the identity provider and for the services that are not measured. */
    async startOthers() {
      const others = await startScript('others', 'harness/other-services.ts');
      return { ...others, tokenOf: async (user: string) => (await fetch(`${others.url}/tokens/${user}`)).text() };
    },
    startGateway: (services: string, settings: Environment) =>
      startPart('gateway', services, {
        ...{ IDP_ISSUER: services, IDP_JWKS_URL: `${services}/jwks`, RATE_LIMIT_GENERAL: '1000000000' },
        PASSPORT_PRIVATE_KEY: passportKeys.privateKey,
        ...settings,
      }),
    startService: (name: string, services: string, settings: Environment, options?: string[]) =>
      startPart(
        name,
        services,
        {
          ...{ PUBLIC_URL: services, SERVICE_SECRET: testServiceSecret, PASSPORT_PUBLIC_KEY: passportKeys.publicKey },
          ...settings,
        },
        options,
      ),
    /** As the gateway signs them. */
    signPassport: createPassportSigner(passportKeys.privateKey),
    /** Null while a process runs, and if a signal has ended it. */
    exitCodeOf: (pid: number) => childOf(pid)?.exitCode ?? null,
    /** Ends a process, waits until it has written what it writes at its end, and returns its exit code. */
    async stop(pid: number): Promise<number | null> {
      const child = childOf(pid);
      if (!child || child.exitCode !== null) return child?.exitCode ?? null;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
    async end() {
      const exited = running.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit'));
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

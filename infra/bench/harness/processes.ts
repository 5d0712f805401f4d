import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createPassportKeys } from '@lms/auth/passport-keys';
import { createPassportSigner } from '@lms/auth/sign-passport';
import { testServiceSecret } from '@lms/testing/principals';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { root } from 'local/processes/node-process';
import { compile } from '../../local/compile.mjs';

type Environment = NodeJS.ProcessEnv;

export interface Started {
  url: string;
  pid: number;
}

/** Starts the processes of a measurement, and ends them together. */
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
    return child;
  }

  async function startNode(name: string, args: string[], { PORT, ...environment }: Environment): Promise<Started> {
    const port = PORT ?? String(await freePort());
    const { pid = 0 } = await start(name, process.execPath, args, { ...environment, PORT: port });
    const url = `http://127.0.0.1:${port}`;
    await untilReachable(url);
    return { url, pid };
  }

  /** Starts a TypeScript file of this workspace on a free port. */
  const startScript = (name: string, file: string, environment: Environment = {}) =>
    startNode(name, ['--conditions=lms-source', '--import', 'tsx', join(root, 'infra/bench', file)], environment);

  const passportKeys = createPassportKeys();

  /** Starts the gateway or a service, compiled as it is deployed. `others` stands for all others, unless settings name them. */
  async function startPart(name: string, others: string, settings: Environment): Promise<Started> {
    await compile(root);
    const file = name === 'gateway' ? 'gateway/dist/main.js' : `services/${name}/dist/main.js`;
    return startNode(name, [join(root, file)], {
      ...{ IDENTITY_URL: others, CONTENT_URL: others, MEDIA_URL: others, ENROLLMENT_URL: others, PUBLIC_URL: others },
      // Nothing listens there.
      ...{ NATS_URL: 'nats://127.0.0.1:9', REDIS_URL: 'redis://127.0.0.1:9' },
      ...{ PASSPORT_PUBLIC_KEY: passportKeys.publicKey, SERVICE_SECRET: testServiceSecret, LOG_LEVEL: 'warn' },
      ...settings,
    });
  }

  return {
    start,
    startScript,
    /** Starts what stands for the identity provider and for the services that are not measured. */
    async startOthers() {
      const others = await startScript('others', 'harness/other-services.ts');
      return { ...others, tokenOf: async (user: string) => (await fetch(`${others.url}/tokens/${user}`)).text() };
    },
    startService: startPart,
    startGateway: (others: string, settings: Environment) =>
      startPart('gateway', others, {
        ...{ IDP_ISSUER: others, IDP_JWKS_URL: `${others}/jwks`, RATE_LIMIT_GENERAL: '1000000000' },
        PASSPORT_PRIVATE_KEY: passportKeys.privateKey,
        ...settings,
      }),
    /** As the gateway signs them. */
    signPassport: createPassportSigner(passportKeys.privateKey),
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

/** Waits until a gateway is connected to Redis and NATS and has the keys of the identity provider. */
export const untilConnected = (gatewayUrl: string) =>
  waitFor(
    async () => {
      const { checks = {} } = Object(await (await fetch(`${gatewayUrl}/readyz`)).json());
      return ['redis', 'nats', 'keys'].every((name) => checks[name] === 'ok');
    },
    { until: 'the gateway' },
  );

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createPassportKeys } from '@lms/auth/passport-keys';
import { createPassportSigner } from '@lms/auth/sign-passport';
import { createClient } from '@lms/client';
import { passportHeader, type Role } from '@lms/contracts/passport';
import { testPrincipal } from '@lms/testing/principals';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import type { ProcessDefinition } from 'local/process';
import { root } from 'local/processes/node-process';
import { natsProcess, redisProcess } from 'local/processes/servers';
import { signIn } from 'local/running-stack';
import { loadSettings } from 'local/settings';
import { startStack } from 'local/start-stack';
import { createSupervisor } from 'local/supervisor';
import postgres from 'postgres';
import { compile } from '../../local/compile.mjs';

type Environment = Record<string, string>;

export interface Started {
  url: string;
  pid: number;
}

// All clients have the same address, and the limits are not what is measured.
const unlimited = '1000000000';
const limits = {
  ...{ RATE_LIMIT_GENERAL: unlimited, RATE_LIMIT_AUTH: unlimited },
  ...{ RATE_LIMIT_UPLOAD: unlimited, RATE_LIMIT_PLAYBACK: unlimited },
};

/** Starts the processes of a measurement. They end with this one, whatever ends it. */
export function createStarter(directory: string) {
  const [data, logs] = [join(directory, 'data'), join(directory, 'logs')];
  const stops: (() => Promise<void>)[] = [];

  function openSupervisor() {
    const supervisor = createSupervisor({ logDirectory: join(logs, String(stops.length)) });
    stops.push(supervisor.stop);
    return supervisor;
  }
  const servers = openSupervisor();

  async function startProcess(definition: ProcessDefinition): Promise<Started> {
    await servers.start([definition]);
    return { url: definition.url, pid: servers.processes.find((one) => one.definition === definition)?.pid() ?? 0 };
  }

  /** Starts a program that responds to HTTP at this port when it is ready. */
  function start(name: string, port: number, file: string, args: string[], environment: Environment = {}) {
    const url = `http://127.0.0.1:${port}`;
    const env = { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...environment };
    return startProcess({
      ...{ name, url, stopSignal: 'SIGKILL', stopTimeoutMs: 5_000 },
      command: () => ({ file, args, env, cwd: root }),
      probe: async () => void (await (await fetch(url)).text()),
    });
  }

  const startNode = async (name: string, args: string[], environment: Environment) =>
    start(name, await freePort(), process.execPath, args, environment);

  /** Starts a TypeScript file of this workspace. */
  const startScript = (name: string, file: string, environment: Environment = {}) =>
    startNode(name, ['--conditions=lms-source', '--import=tsx', join(root, 'infra/bench', file)], environment);

  /** Starts an identity provider that trusts everyone. Its settings are those of the gateway. */
  async function startProvider() {
    const { url, pid } = await startScript('upstream', 'servers/upstream.ts');
    return {
      ...{ url, pid, settings: { IDP_ISSUER: url, IDP_JWKS_URL: `${url}/jwks` } },
      tokenOf: async (user: string) => (await fetch(`${url}/tokens/${user}`)).text(),
    };
  }

  return {
    ...{ directory, data, logs, stops, start, startScript, startProvider },

    /** Starts what a gateway needs: one process for the provider and all services, NATS and Redis. */
    async startUpstream() {
      await compile(root);
      const provider = await startProvider();
      const nats = await startProcess(natsProcess({ directory: join(data, 'nats'), port: await freePort() }));
      const redis = await startProcess(redisProcess({ directory: join(data, 'redis'), port: await freePort() }));
      const settings = {
        ...{ ...provider.settings, NATS_URL: nats.url, REDIS_URL: redis.url, ...limits, LOG_LEVEL: 'warn' },
        ...{ IDENTITY_URL: provider.url, CONTENT_URL: provider.url, MEDIA_URL: provider.url },
        ...{ ENROLLMENT_URL: provider.url, PASSPORT_PRIVATE_KEY: createPassportKeys().privateKey },
      };
      async function startGateway(own: Environment = {}) {
        const gateway = await startNode('gateway', [join(root, 'gateway/dist/main.js')], { ...settings, ...own });
        await untilConnected(gateway.url);
        return gateway;
      }
      return { ...provider, redis, startGateway };
    },

    /** Starts the local stack as `npm start` does, without limits. `start` may start a part in another way. */
    async startLocalStack(
      own: Environment = {},
      start: (part: ProcessDefinition) => Promise<void> | undefined = () => undefined,
    ) {
      await compile(root);
      const supervisor = openSupervisor();
      const stackDirectory = join(data, String(stops.length));
      await mkdir(stackDirectory, { recursive: true });
      const ports = { GATEWAY_PORT: '0', IDP_PORT: '0', DATA_DIR: stackDirectory };
      const environment = { ...process.env, ...limits, LOG_LEVEL: 'warn', QUOTAS_ENABLED: 'false', ...ports, ...own };
      const startAll = async (parts: ProcessDefinition[]) =>
        void (await Promise.all(parts.map((part) => start(part) ?? supervisor.start([part]))));
      const { addresses, secrets } = await startStack(
        { ...supervisor, start: startAll },
        { settings: loadSettings(environment), environment, directory: stackDirectory, report: () => undefined },
      );
      const processOf = (name: string) => supervisor.processes.find(({ definition }) => definition.name === name);
      const signPassport = createPassportSigner(secrets.passport.privateKey);
      const gateway = addresses.gateway.url;
      const signInAs = (user: string) => signIn(addresses.identityProvider.url, `${user}@lms.test`);
      return {
        ...{ addresses, gateway, signInAs },
        pidsOf: (...names: string[]) => Object.fromEntries(names.map((name) => [name, processOf(name)?.pid() ?? 0])),
        /** The client of an administrator. */
        async signInAdmin() {
          const token = await signInAs('admin');
          return { token, admin: createClient({ baseUrl: gateway, token: () => token, retries: 20 }) };
        },
        /** Opens a service's database as superuser. */
        open(name: string) {
          const { href: url } = new URL(`/${name}`, processOf('postgres')?.definition.url);
          const sql = postgres(url, { max: 2, onnotice: () => undefined });
          stops.push(sql.end);
          return { url, sql };
        },
        /** The headers of a request to a service. */
        passportOf: (role: Role, userId: string) => ({
          [passportHeader]: signPassport(testPrincipal([role], { userId, plan: 'ENTERPRISE' })),
        }),
      };
    },

    async stop() {
      for (const stop of stops.toReversed()) await stop();
    },
  };
}

/** Waits until a gateway is connected to Redis and NATS and has the keys of the identity provider. */
export const untilConnected = (gatewayUrl: string) =>
  waitFor(async () => {
    const { checks = {} } = Object(await (await fetch(`${gatewayUrl}/readyz`)).json());
    return ['redis', 'nats', 'keys'].every((name) => checks[name] === 'ok');
  });

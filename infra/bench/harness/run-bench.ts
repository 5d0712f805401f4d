import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPassportKeys } from '@lms/auth/passport-keys';
import { createPassportSigner } from '@lms/auth/sign-passport';
import { createClient } from '@lms/client';
import { passportHeader, type Role } from '@lms/contracts/passport';
import { testPrincipal } from '@lms/testing/principals';
import { freePort } from '@lms/testing/servers';
import { waitFor } from '@lms/testing/wait-for';
import { startNats, startRedis } from 'local/embedded';
import { root } from 'local/process';
import { readStackFile, signIn } from 'local/running-stack';
import { loadOrCreateSecrets } from 'local/secrets';
import postgres from 'postgres';
import { compile } from '../../local/compile.mjs';
import { rounded } from './measure.ts';
import { openUpstream } from './upstream.ts';

type Environment = Record<string, string>;

export type Bench = ReturnType<typeof createBench>;

/** A number that the environment may set. */
export const setting = (name: string, byDefault: number) => Number(process.env[name] ?? byDefault);

/**
 * Runs a measurement with a directory of its own, ends what it has started, and prints what was compared with targets. The
 * logs stay if it fails or a target is missed; then the process exits with 1.
 */
export async function runBench(work: (bench: Bench) => Promise<unknown>) {
  const bench = createBench(await mkdtemp(join(tmpdir(), 'lms-bench-')));
  for (const folder of [bench.data, bench.logs]) await mkdir(folder);
  await work(bench).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
  for (const stop of bench.stops.toReversed()) await stop();
  console.table(bench.targets);
  await rm(process.exitCode ? bench.data : bench.directory, { recursive: true, force: true });
  if (process.exitCode) console.log(`logs: ${bench.logs}`);
}

// All clients have the same address, and the limits are not what is measured.
const limits = ['GENERAL', 'AUTH', 'UPLOAD', 'PLAYBACK'].map((name) => [`RATE_LIMIT_${name}`, '1000000000']);
const settings = { ...Object.fromEntries(limits), LOG_LEVEL: 'warn' };

function createBench(directory: string) {
  const [data, logs] = [join(directory, 'data'), join(directory, 'logs')];
  const stops: (() => unknown)[] = [];
  const targets: Record<string, { target: string; measured: number; met: boolean }> = {};

  /** Starts a program that ends with this process, whatever ends it, and waits until it is ready. */
  async function startProgram(name: string, command: string[], options: SpawnOptions, isReady: () => Promise<boolean>) {
    const log = openSync(join(logs, `${name}.log`), 'a');
    const args = ['--pdeathsig', 'TERM', '--', ...command];
    const child = spawn('setpriv', args, { ...options, stdio: ['ignore', log, log] });
    const exited = once(child, 'exit');
    stops.push(async () => {
      child.kill();
      await exited;
    });
    await waitFor(async () => {
      if (child.exitCode !== null) throw new Error(`${name} has exited with ${child.exitCode}`);
      return isReady().catch(() => false);
    });
    return { exited, pid: child.pid ?? 0 };
  }

  /** Starts a program that responds to HTTP at this port when it is ready. */
  async function start(name: string, port: number, command: string[], own: Environment = {}, isReady = responds) {
    const url = `http://127.0.0.1:${port}`;
    const env = { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...own };
    return { url, ...(await startProgram(name, command, { env, cwd: root }, () => isReady(url))) };
  }

  return {
    ...{ directory, data, logs, stops, targets, startProgram, start },

    /** Compares with a target. What was not measured, because of BENCH_ONLY, is left out. */
    check(name: string, value: number | undefined, limit: { atLeast: number } | { atMost: number }) {
      if (value === undefined) return;
      const met = 'atLeast' in limit ? value >= limit.atLeast : value <= limit.atMost;
      const target = 'atLeast' in limit ? `≥ ${limit.atLeast}` : `≤ ${limit.atMost}`;
      targets[name] = { target, measured: rounded(value), met };
      if (!met) process.exitCode = 1;
    },

    startBare: async (name: string, own: Environment) => start(name, await freePort(), bareServer, own),

    /** Starts what a gateway needs: the provider and all services in this process, NATS and Redis. */
    async startUpstream() {
      await compile(root);
      const upstream = await openUpstream(stops);
      const nats = await startNats({ directory: join(data, 'nats') });
      const redis = await startRedis({ directory: join(data, 'redis') });
      stops.push(nats.stop, redis.stop);
      const { url } = upstream;
      const env = {
        ...{ ...settings, ...upstream.settings, NATS_URL: nats.url, REDIS_URL: redis.url },
        ...{ IDENTITY_URL: url, CONTENT_URL: url, MEDIA_URL: url, ENROLLMENT_URL: url },
        PASSPORT_PRIVATE_KEY: createPassportKeys().privateKey,
      };
      const startGateway = async (own: Environment = {}, options: string[] = []) => {
        const command = [process.execPath, ...options, 'gateway/dist/main.js'];
        return start('gateway', await freePort(), command, { ...env, ...own }, isConnected);
      };
      return { ...upstream, redis, startGateway };
    },

    /** Runs `npm start`, without limits, in a checkout. */
    async startLocalStack(own: Environment = {}, checkout = root) {
      const stackDirectory = await mkdtemp(join(data, 'stack-'));
      await symlink(logs, join(stackDirectory, 'logs'));
      const ports = { GATEWAY_PORT: '0', IDP_PORT: '0', DATA_DIR: stackDirectory };
      const env = { ...process.env, ...settings, QUOTAS_ENABLED: 'false', ...ports, ...own };
      const read = () => readStackFile(stackDirectory);
      const isReady = async () => responds(`${(await read()).gateway.url}/readyz`);
      await startProgram('stack', ['npm', 'start'], { env, cwd: checkout }, isReady);
      const stack = await read();
      const urlOf = (part: string) => String(stack[part].url);
      const databaseUrlOf = (service: string) => new URL(`/${service}`, urlOf('postgres')).href;
      const signPassport = createPassportSigner(loadOrCreateSecrets(stackDirectory).passport.privateKey);
      return {
        ...{ directory: stackDirectory, gateway: urlOf('gateway'), urlOf, databaseUrlOf },
        pidsOf: (...parts: string[]) => Object.fromEntries(parts.map((part) => [part, Number(stack[part].pid)])),
        async signInAs(user: 'admin' | 'learner') {
          const token = await signIn(urlOf('identityProvider'), `${user}@lms.test`);
          const client = createClient({ baseUrl: urlOf('gateway'), token: () => token, retries: 20 });
          return { token, headers: { authorization: `Bearer ${token}` }, client };
        },
        /** Opens a service's database as superuser. */
        open(service: string) {
          const sql = postgres(databaseUrlOf(service), { max: 2, onnotice: () => undefined });
          stops.push(sql.end);
          return sql;
        },
        /** The headers of a request to a service. */
        passportOf: (role: Role, userId: string) => ({
          [passportHeader]: signPassport(testPrincipal([role], { userId, plan: 'ENTERPRISE' })),
        }),
      };
    },
  };
}

const bareServer = [process.execPath, '--import=tsx', 'infra/bench/servers/bare.ts'];

async function responds(url: string): Promise<boolean> {
  const response = await fetch(url);
  await response.text();
  return response.status !== 503;
}

/** Whether a gateway is connected to Redis and NATS and has the keys of the identity provider. */
export async function isConnected(gatewayUrl: string): Promise<boolean> {
  const { checks = {} } = Object(await (await fetch(`${gatewayUrl}/readyz`)).json());
  return ['redis', 'nats', 'keys'].every((name) => checks[name] === 'ok');
}

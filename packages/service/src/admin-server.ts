import { setTimeout as sleep } from 'node:timers/promises';
import { createRegistry, type Registry } from '@lms/telemetry/registry';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';

/** Resolves if a dependency is usable, otherwise rejects with the reason. */
export type Check = () => Promise<unknown>;

export interface AdminOptions {
  logger: FastifyBaseLogger;
  /** The dependencies that this process needs to serve requests, by name. */
  checks: Record<string, Check>;
  registry?: Registry;
  /** Returns the OpenAPI document of the public API. */
  openApi?: () => unknown;
}

const checkTimeoutMs = 2_000;

/** Runs all checks in parallel, each with a timeout of two seconds. */
export async function readiness(checks: Record<string, Check>) {
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await withDeadline(check);
        return [name, 'ok'] as const;
      } catch (error) {
        return [name, error instanceof Error ? error.message : String(error)] as const;
      }
    }),
  );
  return { ready: outcomes.every(([, outcome]) => outcome === 'ok'), checks: Object.fromEntries(outcomes) };
}

async function withDeadline(check: Check) {
  const settled = new AbortController();
  const deadline = sleep(checkTimeoutMs, undefined, { signal: settled.signal }).then(
    () => Promise.reject(new Error('timed out')),
    () => undefined,
  );
  await Promise.race([Promise.resolve().then(check), deadline]).finally(() => settled.abort());
}

/** The server for probes and metrics. Its port must not be public. */
export function createAdminServer({ logger, checks, registry = createRegistry(), openApi }: AdminOptions) {
  const app = Fastify({ loggerInstance: logger, logController: new LogController({ disableRequestLogging: true }) });
  let started = false;
  let draining = false;

  app.get('/livez', async () => ({ status: 'alive' }));
  // Dependencies do not matter here; readiness reports them.
  app.get('/startupz', async (_request, reply) =>
    reply.code(started ? 200 : 503).send({ status: started ? 'started' : 'starting' }),
  );
  app.get('/readyz', async (_request, reply) => {
    const { ready, checks: outcomes } = await readiness(checks);
    return reply
      .code(ready && started && !draining ? 200 : 503)
      .send({ status: draining ? 'draining' : ready && started ? 'ready' : 'unready', checks: outcomes });
  });
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()));

  if (openApi) app.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(openApi()));

  return Object.assign(app, {
    /** Call it when the public port is open. */
    start() {
      started = true;
    },
    /** Makes readiness fail, so that load balancers stop sending requests. */
    drain() {
      draining = true;
    },
  });
}

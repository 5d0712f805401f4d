import { setTimeout as sleep } from 'node:timers/promises';
import { createRegistry, type Registry } from '@lms/telemetry/registry';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';

/** Resolves when a dependency is usable, rejects with the reason when it is not. */
export type Check = () => Promise<unknown>;

export interface AdminOptions {
  logger: FastifyBaseLogger;
  /** What must work for this process to be sent requests, by name. */
  checks: Record<string, Check>;
  registry?: Registry;
  /** The process's public interface, as an OpenAPI document. */
  describe?: () => unknown;
}

const checkTimeoutMs = 2_000;

/** Asks every check at once; each has two seconds. */
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
  const answered = new AbortController();
  const deadline = sleep(checkTimeoutMs, undefined, { signal: answered.signal }).then(
    () => Promise.reject(new Error('no answer in time')),
    () => undefined,
  );
  await Promise.race([Promise.resolve().then(check), deadline]).finally(() => answered.abort());
}

/** Probes and metrics, on a port that only operators reach. */
export function createAdminServer({ logger, checks, registry = createRegistry(), describe }: AdminOptions) {
  const app = Fastify({ loggerInstance: logger, logController: new LogController({ disableRequestLogging: true }) });
  let started = false;
  let draining = false;

  app.get('/livez', async () => ({ status: 'alive' }));
  // A dependency that is out keeps nobody from starting: readiness is what tells of it.
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

  if (describe) app.get('/openapi.json', async (_request, reply) => reply.type('application/json').send(describe()));

  return Object.assign(app, {
    /** The process has opened its public port. */
    start() {
      started = true;
    },
    /** From now on readiness is refused, so that load balancers stop sending. */
    drain() {
      draining = true;
    },
  });
}

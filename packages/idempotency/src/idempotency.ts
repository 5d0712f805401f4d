import { createHash } from 'node:crypto';
import '@lms/auth/passports';
import type { Db } from '@lms/database/connect';
import { type OpenTransaction, openTransaction } from '@lms/database/open-transaction';
import { defineProblem, invalid } from '@lms/service/problems';
import { createCounter } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type Claim, type StoredResponse, storedResponses } from './stored-responses.ts';

export const idempotencyHeader = 'idempotency-key';
const replayedHeader = 'idempotency-replayed';
const keyPattern = /^[\x20-\x7e]{1,128}$/;
const sweepMs = 3_600_000;

const StillRunning = defineProblem('CONFLICT', 409, 'A request with this Idempotency-Key is still running');

const measured = {
  name: 'idempotent_requests_total',
  help: 'Requests under an Idempotency-Key: first, repeated, still running, or of another body than the first',
  labels: ['outcome'],
};

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The database that a JSON POST writes to. Under an `Idempotency-Key` it is the transaction that stores the response
     * too; the first call opens it, so whatever is asked of other services comes before.
     * @throws a 409 while another request with this key is running
     */
    writeDb: () => Promise<Db>;
  }
}

interface Attempt {
  claim: Claim;
  bodyHash: string;
  /** Set once the handler has begun to write. */
  transaction?: Promise<OpenTransaction>;
}

/**
 * Makes JSON POSTs repeatable: under an `Idempotency-Key` what the handler writes through `request.writeDb()` and its
 * response are one transaction, so that a repetition within 24 hours gets the first 2xx response again, and a crash
 * neither loses nor doubles the effect.
 */
export const idempotency = fp(
  async (app, { db, registry }: { db: Db; registry?: Registry | undefined }) => {
    const count = registry && createCounter(registry, measured);
    const attempts = new WeakMap<FastifyRequest, Attempt>();
    let sweptAt = 0;

    app.decorateRequest('writeDb', async function writeDb(this: FastifyRequest) {
      const attempt = attempts.get(this);
      return attempt ? (await begin(attempt)).tx : db;
    });

    app.addHook('preHandler', async (request, reply) => {
      const key = request.headers[idempotencyHeader];
      if (key === undefined || !isJsonPost(request)) return undefined;
      const attempt = attemptOf(String(key), request);
      const stored = await storedResponses(db).find(attempt.claim);
      if (!stored) {
        attempts.set(request, attempt);
        return undefined;
      }
      count?.({ outcome: stored.bodyHash === attempt.bodyHash ? 'repeated' : 'mismatched' });
      return replay(stored, attempt.bodyHash, reply);
    });

    app.addHook('onSend', async (request, reply, payload) => {
      const attempt = attempts.get(request);
      if (!attempt) return payload;
      attempts.delete(request);
      if (reply.statusCode >= 200 && reply.statusCode <= 299 && typeof payload === 'string')
        await store(attempt, reply.statusCode, payload);
      else await rollBack(attempt);
      return payload;
    });

    function begin(attempt: Attempt): Promise<OpenTransaction> {
      attempt.transaction ??= claim(attempt);
      return attempt.transaction;
    }

    /** Opens the transaction that holds the key until it ends. */
    async function claim({ claim: key }: Attempt): Promise<OpenTransaction> {
      const transaction = await openTransaction(db);
      try {
        const responses = storedResponses(transaction.tx);
        // One that has just ended has stored its response after we looked for it; it was running when we came.
        if (!(await responses.claim(key)) || (await responses.find(key))) {
          count?.({ outcome: 'running' });
          throw new StillRunning({ details: { resource: 'request', field: 'Idempotency-Key', value: key.key } });
        }
        count?.({ outcome: 'first' });
        return transaction;
      } catch (error) {
        await transaction.rollback();
        throw error;
      }
    }

    async function store(attempt: Attempt, status: number, body: string) {
      const transaction = await begin(attempt);
      await storedResponses(transaction.tx).store(attempt.claim, { bodyHash: attempt.bodyHash, status, body });
      await transaction.commit();
      sweepNowAndThen();
    }

    const rollBack = ({ transaction }: Attempt) =>
      transaction?.then(
        ({ rollback }) => rollback(),
        () => undefined,
      );

    function sweepNowAndThen() {
      if (Date.now() - sweptAt < sweepMs) return;
      sweptAt = Date.now();
      storedResponses(db)
        .sweep()
        .catch((err: unknown) => app.log.warn({ err }, 'old answers could not be swept'));
    }
  },
  { name: 'idempotency', dependencies: ['passports'] },
);

function isJsonPost({ method, headers }: FastifyRequest): boolean {
  return method === 'POST' && !headers['content-type']?.startsWith('multipart/');
}

function attemptOf(key: string, { principal, url, body }: FastifyRequest): Attempt {
  if (!keyPattern.test(key))
    throw invalid({ field: 'Idempotency-Key', message: 'must be 1 to 128 printable characters', value: key });
  const { pathname: path } = new URL(url, 'http://localhost');
  const bodyHash = createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest('hex');
  return { claim: { userId: principal?.userId ?? '', path, key }, bodyHash };
}

function replay(stored: StoredResponse, bodyHash: string, reply: FastifyReply): FastifyReply {
  if (stored.bodyHash !== bodyHash)
    throw invalid({ field: 'Idempotency-Key', message: 'was used with another body', value: stored.key });
  return reply
    .code(stored.status)
    .header(replayedHeader, 'true')
    .type('application/json; charset=utf-8')
    .serializer(String)
    .send(stored.body);
}

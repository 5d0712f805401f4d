import { createHash } from 'node:crypto';
import '@lms/auth/passports';
import type { Db } from '@lms/database/connect';
import { enterTransaction, type OpenTransaction, openTransaction } from '@lms/database/request-transaction';
import { defineProblem, invalid } from '@lms/server/problems';
import { openCounter } from '@lms/telemetry/measures';
import type { Registry } from '@lms/telemetry/registry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type Claim, type KeptAnswer, keptAnswers } from './kept-answers.ts';

export const idempotencyHeader = 'idempotency-key';
const replayedHeader = 'idempotency-replayed';
const acceptable = /^[\x20-\x7e]{1,128}$/;
const sweepMs = 3_600_000;

const StillRunning = defineProblem('CONFLICT', 409, 'A request with this Idempotency-Key is still running');

const measured = {
  name: 'idempotent_requests_total',
  help: 'Requests under an Idempotency-Key: first, repeated, still running, or of another body than the first',
  labels: ['outcome'],
};

interface Attempt {
  claim: Claim;
  bodyHash: string;
  transaction: OpenTransaction;
  leave: () => void;
}

/**
 * Makes JSON POSTs repeatable: under an `Idempotency-Key` the handler's work and its answer are one transaction, so that
 * a repetition within 24 hours gets the first 2xx answer again and a crash can neither lose nor double it.
 * Works with every handler whose `db` comes from `connect`, because that one joins the transaction by itself.
 */
export const idempotency = fp(
  async (app, { db, registry }: { db: Db; registry?: Registry | undefined }) => {
    const count = registry && openCounter(registry, measured);
    const attempts = new WeakMap<FastifyRequest, Attempt>();
    let sweptAt = 0;

    app.addHook('preHandler', (request, reply, done) => {
      const key = request.headers[idempotencyHeader];
      if (key === undefined || !isJsonPost(request)) return done();
      begin(String(key), request, reply).then((attempt) => {
        if (!attempt) return;
        attempt.leave = enterTransaction(attempt.transaction.tx, done);
      }, done);
    });

    app.addHook('onSend', async (request, reply, payload) => {
      const attempt = attempts.get(request);
      if (!attempt) return payload;
      attempts.delete(request);
      attempt.leave();
      await finish(attempt, reply.statusCode, payload);
      return payload;
    });

    async function begin(key: string, request: FastifyRequest, reply: FastifyReply): Promise<Attempt | undefined> {
      if (!acceptable.test(key))
        throw invalid({ field: 'Idempotency-Key', message: 'must be 1 to 128 printable characters', value: key });
      const { pathname: path } = new URL(request.url, 'http://localhost');
      const claim = { userId: request.principal?.userId ?? '', path, key };
      const bodyHash = createHash('sha256')
        .update(JSON.stringify(request.body ?? null))
        .digest('hex');
      const transaction = await openTransaction(db);
      try {
        const answers = keptAnswers(transaction.tx);
        if (!(await answers.claim(claim))) {
          count?.({ outcome: 'running' });
          throw new StillRunning();
        }
        const kept = await answers.find(claim);
        count?.({ outcome: !kept ? 'first' : kept.bodyHash === bodyHash ? 'repeated' : 'mismatched' });
        if (kept) {
          await transaction.rollback();
          return repeat(kept, bodyHash, reply);
        }
      } catch (error) {
        await transaction.rollback();
        throw error;
      }
      const attempt = { claim, bodyHash, transaction, leave: () => undefined };
      attempts.set(request, attempt);
      return attempt;
    }

    async function finish({ claim, bodyHash, transaction }: Attempt, status: number, payload: unknown) {
      if (status < 200 || status > 299 || typeof payload !== 'string') return transaction.rollback();
      await keptAnswers(transaction.tx).keep(claim, { bodyHash, status, body: payload });
      await transaction.commit();
      sweepNowAndThen();
    }

    function sweepNowAndThen() {
      if (Date.now() - sweptAt < sweepMs) return;
      sweptAt = Date.now();
      keptAnswers(db)
        .sweep()
        .catch((err: unknown) => app.log.warn({ err }, 'old answers could not be swept'));
    }
  },
  { name: 'idempotency', dependencies: ['passports'] },
);

function isJsonPost({ method, headers }: FastifyRequest): boolean {
  return method === 'POST' && !headers['content-type']?.startsWith('multipart/');
}

function repeat(kept: KeptAnswer, bodyHash: string, reply: FastifyReply): undefined {
  if (kept.bodyHash !== bodyHash)
    throw invalid({ field: 'Idempotency-Key', message: 'was used with another body', value: kept.key });
  reply
    .code(kept.status)
    .header(replayedHeader, 'true')
    .type('application/json; charset=utf-8')
    .serializer(String)
    .send(kept.body);
}

import { hash } from 'node:crypto';
import '@lms/auth/passports';
import type { Db } from '@lms/database/connect';
import { type OpenTransaction, openTransaction } from '@lms/database/open-transaction';
import { defineProblem, invalid } from '@lms/service/problems';
import { requestIdHeader, retryHeader } from '@lms/service/request-id';
import { createCounter } from '@lms/telemetry/metrics';
import type { Registry } from '@lms/telemetry/registry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type ScopedKey, type StoredResponse, storedResponses } from './stored-responses.ts';

export const idempotencyHeader = 'idempotency-key';
const replayedHeader = 'idempotency-replayed';
const keyPattern = /^[\x20-\x7e]{1,128}$/;
const cleanupIntervalMs = 3_600_000;

const RequestInProgress = defineProblem('CONFLICT', 409, 'This request is still running');

/**
 * Part of the schema of a route whose effect cannot be made twice, such as a decision: the route accepts an
 * `Idempotency-Key` whatever its method. The gateway repeats a PUT without a body once if its connection was reset: this
 * repetition gets the first response without a key, too.
 */
export const repeatable = { 'x-repeatable': true } as const;
/** Part of the OpenAPI description of such a route. */
export const repeatableRule =
  'A repetition by the same caller with the same `Idempotency-Key` and body returns the first response again, for example after a lost connection.';

const requestsMetric = {
  name: 'idempotent_requests_total',
  help: 'Requests with an Idempotency-Key, by outcome: first, repeated, running (a duplicate while the first one runs), mismatched (another body)',
  labels: ['outcome'],
};

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The database for the writes of a JSON POST or a repeatable route. With an `Idempotency-Key`, it is the transaction that also stores the
     * response. The first call opens it, so call other services before.
     * @throws a 409 while another request with this key is running
     */
    writeDb: () => Promise<Db>;
  }
}

/** Thrown if another request with the same key has ended while this one waited for it. */
class Repeated extends Error {
  override name = 'Repeated';
  readonly stored: StoredResponse;
  constructor(stored: StoredResponse) {
    super('the response to this request is stored');
    this.stored = stored;
  }
}

interface KeyedRequest {
  key: ScopedKey;
  /** The caller as the request that created the account stored it. */
  subject: string;
  bodyHash: string;
  /** The header that identifies the request. */
  header: 'Idempotency-Key' | 'X-Request-Id';
  /** Whether the response may be a stored one. Not if only the request id is the same: clients may send one for many requests. */
  mayReplay: boolean;
  /** Set by the first call of `writeDb`. */
  transaction?: Promise<OpenTransaction>;
}

/**
 * Makes JSON POST requests idempotent. With an `Idempotency-Key`, the writes through `request.writeDb()` and the response
 * are stored in one transaction. A repetition within 24 hours gets the first 2xx response, also after a crash.
 */
export const idempotency = fp(
  async (app, { db, registry }: { db: Db; registry?: Registry | undefined }) => {
    const count = registry && createCounter(registry, requestsMetric);
    const keyedRequests = new WeakMap<FastifyRequest, KeyedRequest>();
    let cleanedAt = Number.NEGATIVE_INFINITY;

    app.decorateRequest('writeDb', async function writeDb(this: FastifyRequest) {
      const keyed = keyedRequests.get(this);
      return keyed ? (await transactionOf(keyed)).tx : db;
    });

    app.addHook('preHandler', async (request, reply) => {
      const keyed = toKeyedRequest(request);
      if (!keyed) return undefined;
      const stored = keyed.mayReplay && (await storedResponses(db).find(keyed.key, keyed.subject));
      if (!stored) {
        keyedRequests.set(request, keyed);
        return undefined;
      }
      return replay(stored, keyed.bodyHash, reply);
    });

    app.addHook('onRoute', (route) => {
      if (!isRepeatable(route.schema)) return;
      // Other errors are passed on to the error handler of the server.
      route.errorHandler = (error, request, reply) => {
        const keyed = keyedRequests.get(request);
        if (!keyed || !(error instanceof Repeated)) throw error;
        keyedRequests.delete(request);
        return replay(error.stored, keyed.bodyHash, reply);
      };
    });

    app.addHook('onSend', async (request, reply, payload) => {
      const keyed = keyedRequests.get(request);
      if (!keyed) return payload;
      keyedRequests.delete(request);
      if (reply.statusCode >= 200 && reply.statusCode <= 299 && typeof payload === 'string')
        await store(keyed, reply.statusCode, payload);
      else await rollBack(keyed);
      return payload;
    });

    function transactionOf(keyed: KeyedRequest): Promise<OpenTransaction> {
      keyed.transaction ??= openLocked(keyed);
      return keyed.transaction;
    }

    /** Opens a transaction that holds the lock on the key. */
    async function openLocked({ key, bodyHash, header, mayReplay }: KeyedRequest): Promise<OpenTransaction> {
      const transaction = await openTransaction(db);
      try {
        const { claim, find } = storedResponses(transaction.tx);
        // A request whose connection was reset may still be running: its repetition waits for its response.
        const waits = header === 'X-Request-Id';
        if (await claim(key, bodyHash, { waits, replaces: !mayReplay })) {
          count?.({ outcome: 'first' });
          return transaction;
        }
        const stored = waits ? await find(key) : undefined;
        if (stored) throw new Repeated(stored);
        // The other request was running when this one arrived, because preHandler did not find its response.
        count?.({ outcome: 'running' });
        throw new RequestInProgress({ details: { resource: 'request', field: header, value: key.key } });
      } catch (error) {
        await transaction.rollback();
        throw error;
      }
    }

    function replay(stored: StoredResponse, bodyHash: string, reply: FastifyReply): FastifyReply {
      const isSame = stored.bodyHash === bodyHash;
      count?.({ outcome: isSame ? 'repeated' : 'mismatched' });
      if (!isSame)
        throw invalid({ field: 'Idempotency-Key', message: 'was used with another body', value: stored.key });
      return reply
        .code(stored.status)
        .header(replayedHeader, 'true')
        .type('application/json; charset=utf-8')
        .serializer(String)
        .send(stored.body);
    }

    async function store(keyed: KeyedRequest, status: number, body: string) {
      const { tx, commit, rollback } = await transactionOf(keyed);
      try {
        await storedResponses(tx).store(keyed.key, { status, body });
        await commit();
      } catch (error) {
        await rollback();
        throw error;
      }
      cleanUp();
    }

    const rollBack = ({ transaction }: KeyedRequest) =>
      transaction?.then(
        ({ rollback }) => rollback(),
        () => undefined,
      );

    function cleanUp() {
      if (performance.now() - cleanedAt < cleanupIntervalMs) return;
      cleanedAt = performance.now();
      storedResponses(db)
        .deleteExpired()
        .catch((err: unknown) => app.log.warn({ err }, 'deleting expired idempotency keys failed'));
    }
  },
  { name: 'idempotency', dependencies: ['passports'] },
);

const isRepeatable = (schema: unknown) => 'x-repeatable' in Object(schema);

/** Returns undefined for a request that cannot be repeated. */
function toKeyedRequest(request: FastifyRequest): KeyedRequest | undefined {
  const { method, headers, principal, tokenClaims, url, body, id, routeOptions } = request;
  const repeats = isRepeatable(routeOptions.schema);
  // The response to the beginning of a resumable upload is in its headers, which are not stored.
  const isUpload = headers['content-type']?.startsWith('multipart/') || headers['tus-resumable'] !== undefined;
  // Webhooks are repeated with their own ids.
  const isWebhook = Object(routeOptions.schema).tags?.includes('Webhooks') === true;
  if (!repeats && (method !== 'POST' || isUpload || isWebhook)) return undefined;
  const [path = ''] = url.split('?', 1);
  const account = principal ?? tokenClaims;
  const subject = account ? `sub:${account.identityProviderId}` : '';
  const scope = { userId: principal?.userId ?? subject, path };

  const given = headers[idempotencyHeader];
  if (given !== undefined) {
    const key = String(given);
    if (!keyPattern.test(key))
      throw invalid({ field: 'Idempotency-Key', message: 'must be 1 to 128 printable characters', value: key });
    return {
      key: { ...scope, key },
      subject,
      bodyHash: hashOf(body),
      header: 'Idempotency-Key',
      mayReplay: true,
    };
  }
  if (!repeats || headers[requestIdHeader] !== id) return undefined;
  const mayReplay = headers[retryHeader] !== undefined;
  const bodyHash = hashOf(body);
  // Request ids are not meant as keys: with another body, it is another request.
  const key = `${requestIdHeader}:${id}:${bodyHash}`;
  return { key: { ...scope, key }, subject, bodyHash, header: 'X-Request-Id', mayReplay };
}

const hashOf = (body: unknown) => hash('sha256', Buffer.isBuffer(body) ? body : JSON.stringify(body ?? null));

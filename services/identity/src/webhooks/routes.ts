import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ok } from '@lms/contracts/envelope';
import type { Database, Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { normalizeBody, parseJson } from '@lms/service/json-body';
import { invalid, UnsupportedMediaType } from '@lms/service/problems';
import { toValidationProblem } from '@lms/service/validation';
import type { TSchema } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import type { Delivery } from './delivery.ts';
import { receiveWebhook } from './receive-webhook.ts';
import type { WebhookStatus } from './schemas.ts';
import * as schemas from './schemas.ts';
import { type SignatureOptions, schemeOf, type VerifiedSignature, verifySignature } from './verify-signature.ts';

/** What is done about one type of event, and the shape that its whole body must have. */
export interface WebhookHandler {
  schema: TSchema;
  handle: (tx: Db, data: unknown, cause: Cause) => Promise<WebhookStatus>;
}

interface Options {
  deps: {
    database: Database;
    signatures: SignatureOptions;
    handlers: Readonly<Record<string, WebhookHandler>>;
    countDelivery?: (delivery: Delivery) => void;
  };
}

/** The identity provider: whoever holds a secret. */
export const webhookRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  const { database, signatures: trust, handlers: effects, countDelivery: count } = deps;
  const verified = new WeakMap<FastifyRequest, VerifiedSignature>();
  const outcomes = new WeakMap<FastifyRequest, WebhookStatus>();

  // Signatures are made over bytes, so the body stays bytes until one has been found genuine.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  app.addHook('preValidation', async (request) => {
    const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    verified.set(request, verifySignature(trust, request.headers, raw));
    if (!/^application\/(.+\+)?json\b/i.test(request.headers['content-type'] ?? '')) throw new UnsupportedMediaType();
    const { value, issues } = normalizeBody(parseJson(raw));
    const [first, ...rest] = issues;
    if (first) throw invalid(first, ...rest);
    request.body = value;
  });

  app.post('/identity', { schema: schemas.receiveWebhook }, async (request) => {
    const { type, data } = request.body;
    const { scheme, messageId, secret } =
      verified.get(request) ?? verifySignature(trust, request.headers, Buffer.alloc(0));
    const effect = Object.hasOwn(effects, type) ? effects[type] : undefined;
    const status = effect ? await handleEvent(request, effect, data, messageId) : 'ignored';
    outcomes.set(request, status);
    const line = { webhook: type, scheme, secret, messageId, status };
    if (status === 'conflict') request.log.warn(line, 'a webhook claims the e-mail of somebody else');
    else request.log.info(line, 'webhook');
    return ok({ status });
  });

  app.addHook('onResponse', async (request) => {
    const genuine = verified.get(request);
    if (genuine) count?.({ ...genuine, outcome: outcomes.get(request) ?? 'failed' });
    else count?.({ scheme: schemeOf(request.headers), outcome: 'refused' });
  });

  async function handleEvent(
    request: FastifyRequest,
    { schema: shape, handle: apply }: WebhookHandler,
    data: unknown,
    messageId: string,
  ) {
    const validate = request.compileValidationSchema(shape, 'body');
    if (!validate(request.body)) throw toValidationProblem(validate.errors ?? [], 'body');
    return receiveWebhook(database.db, messageId, (tx) => apply(tx, data, { requestId: request.id }));
  }
};

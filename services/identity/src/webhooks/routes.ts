import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { ok } from '@lms/contracts/envelope';
import type { Database, Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { normalizeBody, parseJson } from '@lms/service/json-body';
import { invalid, UnsupportedMediaType } from '@lms/service/problems';
import { toValidationProblem } from '@lms/service/validation';
import { type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Delivery } from './metrics.ts';
import { receiveWebhook } from './receive-webhook.ts';
import * as schemas from './schemas.ts';
import { type SignatureOptions, schemeOf, type VerifiedSignature, verifySignature } from './verify-signature.ts';

/** Handles one type of event. `schema` describes the whole body. */
export interface WebhookHandler {
  schema: TSchema;
  handle: (tx: Db, data: unknown, cause: Cause) => Promise<schemas.WebhookStatus>;
}

interface Options {
  deps: {
    database: Database;
    signatures: SignatureOptions;
    /** By the `type` of the event. */
    handlers: Readonly<Record<string, WebhookHandler>>;
    countDelivery?: (delivery: Delivery) => void;
  };
}

const OtherEvent = Type.Object({ type: Type.String() });

export const webhookRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  // The identity provider: the caller must sign the body with a webhook secret.
  const { database, signatures, handlers, countDelivery } = deps;
  app.decorateRequest('signature');
  app.decorateRequest('webhookStatus');

  // The signature covers the raw bytes, so the body is parsed after it has been verified.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  app.addHook('preValidation', async (request) => {
    const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    request.setDecorator('signature', verifySignature(signatures, request.headers, raw));
    if (!/^application\/(.+\+)?json\b/i.test(request.headers['content-type'] ?? '')) throw new UnsupportedMediaType();
    request.body = normalizeBody(parseJson(raw)).value;
  });

  app.post('/identity', { schema: schemas.receiveWebhook }, async (request) => {
    const { type, data } = request.body;
    const { scheme, messageId, secret } = request.getDecorator<VerifiedSignature>('signature');
    const handler = Object.hasOwn(handlers, type) ? handlers[type] : undefined;
    // Only what is read can be invalid: users write the metadata that providers send along.
    const [first, ...rest] = normalizeBody(Value.Clean(handler?.schema ?? OtherEvent, request.body)).issues;
    if (first) throw invalid(first, ...rest);
    let status: schemas.WebhookStatus = 'ignored';
    if (handler) {
      const validate = request.compileValidationSchema(handler.schema, 'body');
      if (!validate(request.body)) throw toValidationProblem(validate.errors ?? [], 'body');
      const cause = { requestId: request.id };
      status = await receiveWebhook(database.db, messageId, (tx) => handler.handle(tx, data, cause));
    }
    request.setDecorator('webhookStatus', status);
    const fields = { webhook: type, scheme, secret, messageId, status };
    if (status === 'conflict') request.log.warn(fields, 'webhook not applied: the e-mail belongs to another user');
    else request.log.info(fields, 'webhook received');
    return ok({ status });
  });

  app.addHook('onResponse', async (request) => {
    const signature = request.getDecorator<VerifiedSignature | undefined>('signature');
    const status = request.getDecorator<schemas.WebhookStatus | undefined>('webhookStatus');
    if (signature) countDelivery?.({ ...signature, outcome: status ?? 'failed' });
    else countDelivery?.({ scheme: schemeOf(request.headers), outcome: 'refused' });
  });
};

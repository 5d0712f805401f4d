import { errorResponses, Success } from '@lms/contracts/envelope';
import { OneOf, RequiredText } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';

const webhookStatuses = ['processed', 'duplicate', 'ignored', 'stale', 'conflict'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

export const receiveWebhook = {
  operationId: 'receiveWebhook',
  tags: ['Webhooks'],
  summary: 'Receive an event of the identity provider',
  description:
    'Handles `user.created`, `user.updated` and `user.deleted`; the status of other types is `ignored`. Sign the body with `X-Webhook-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256(secret, t + "." + body)>`, with the headers of Standard Webhooks or with those of Svix. The signature is verified with the scheme whose headers are present; no other scheme is tried. `sha256=<hex>`, bare hex and base64 of HMAC-SHA256(secret, body) are accepted only if `WEBHOOK_ACCEPT_UNTIMESTAMPED` is set, as `npm start` does. ' +
    'An entry of `email_addresses` is `{id, email_address, verification}`, `{email}` or a string. ' +
    'Deliveries may arrive repeatedly and in any order: `data.updated_at` orders them, and a `user.updated` without it is applied on arrival. `duplicate`: the message has been processed before, with the same id in the headers of either standard, or else with the same body; `stale`: a later state has been applied, or the account has been deleted; `conflict`: the e-mail belongs to another verified user.',
  security: [{ webhookSignature: [] }],
  body: Type.Object({
    type: RequiredText(200, { examples: ['user.created'] }),
    data: Type.Unknown({
      examples: [{ id: 'user_2b1c', email_addresses: [{ email_address: 'learner@lms.test' }], first_name: 'Lea' }],
    }),
  }),
  response: {
    200: Success(Type.Object({ status: OneOf(webhookStatuses) })),
    ...errorResponses(400, 401, 413, 415, 422, 503),
  },
} as const;

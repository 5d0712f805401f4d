import { errorResponses, Success } from '@lms/contracts/envelope';
import { OneOf, RequiredText } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';

const webhookStatuses = ['processed', 'duplicate', 'ignored', 'stale', 'conflict'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

export const receiveWebhook = {
  operationId: 'receiveWebhook',
  tags: ['webhooks'],
  summary: 'Events of the identity provider',
  description:
    '`user.created`, `user.updated` and `user.deleted`; other types are answered `ignored`. Signed by `X-Webhook-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256(secret, t + "." + body)>`, by Standard Webhooks headers or by Svix’s; the scheme whose headers are there must hold, and no other is tried. `sha256=<hex>`, bare hex and base64 of HMAC-SHA256(secret, body) are accepted only where the installation sets `WEBHOOK_ACCEPT_UNTIMESTAMPED`, as `npm start` does. ' +
    'An entry of `email_addresses` is `{id, email_address, verification}`, `{email}` or a string. ' +
    'Deliveries may come in any order and number: they are put in order by `data.updated_at`; a `user.updated` without it counts when it comes. `duplicate`: this message was processed before, by its id under either family of headers, else by its body; `stale`: a later state is known, or the account is gone; `conflict`: the e-mail is another verified user’s.',
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

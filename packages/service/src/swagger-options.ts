import type { SwaggerOptions } from '@fastify/swagger';

/** How callers prove who they are; a route's `security` names one of these. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "A token of the system's identity provider",
  },
  webhookSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Webhook-Signature',
    description: 'An HMAC over the raw body, or Standard Webhooks or Svix headers',
  },
  gateway: { type: 'apiKey', in: 'header', name: 'X-LMS-Identity', description: 'The passport that the gateway signs' },
} as const;

/** A process describes its routes by their own schemas, on its private port. */
export const swaggerOptions: SwaggerOptions = {
  openapi: { openapi: '3.1.0', components: { securitySchemes } },
  hideUntagged: true,
};

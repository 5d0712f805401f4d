import type { SwaggerOptions } from '@fastify/swagger';

/** The authentication schemes that a route's `security` can name. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token of the identity provider',
  },
  webhookSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Webhook-Signature',
    description: 'An HMAC over the raw body, or Standard Webhooks or Svix headers',
  },
  gateway: { type: 'apiKey', in: 'header', name: 'X-LMS-Identity', description: 'The passport that the gateway signs' },
} as const;

/** Routes without tags are not part of the document. */
export const swaggerOptions: SwaggerOptions = {
  openapi: { openapi: '3.1.0', components: { securitySchemes } },
  hideUntagged: true,
};

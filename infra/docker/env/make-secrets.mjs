import { generateKeyPairSync, randomBytes } from 'node:crypto';

const password = () => randomBytes(24).toString('hex');
// The configuration of NATS parses unquoted values: 1e5 would be a number.
const natsPassword = () => `n${password()}`;

/** Generates the secrets of .env.example. */
export const secretGenerators = {
  POSTGRES_PASSWORD: password,
  IDENTITY_OWNER_PASSWORD: password,
  IDENTITY_PASSWORD: password,
  CONTENT_OWNER_PASSWORD: password,
  CONTENT_PASSWORD: password,
  MEDIA_OWNER_PASSWORD: password,
  MEDIA_PASSWORD: password,
  ENROLLMENT_OWNER_PASSWORD: password,
  ENROLLMENT_PASSWORD: password,
  NATS_IDENTITY_PASSWORD: natsPassword,
  NATS_CONTENT_PASSWORD: natsPassword,
  NATS_MEDIA_PASSWORD: natsPassword,
  NATS_ENROLLMENT_PASSWORD: natsPassword,
  NATS_GATEWAY_PASSWORD: natsPassword,
  NATS_OPERATOR_PASSWORD: natsPassword,
  REDIS_PASSWORD: password,
  S3_ACCESS_KEY_ID: () => randomBytes(10).toString('hex'),
  S3_SECRET_ACCESS_KEY: password,
  WEBHOOK_SECRET: () => `whsec_${randomBytes(32).toString('base64')}`,
  PLAYBACK_SECRET: password,
  SERVICE_SECRET: password,
  GRAFANA_PASSWORD: password,
};

/** Generates the key pair of passports. */
export const makePassportKeys = () =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

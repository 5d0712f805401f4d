import { generateKeyPairSync, randomBytes } from 'node:crypto';

const password = () => randomBytes(24).toString('hex');
// NATS reads what is not quoted as it looks: 1e5 would be a number.
const word = () => `n${password()}`;

/** Who makes which secret of .env.example. */
export const secretMakers = {
  POSTGRES_PASSWORD: password,
  IDENTITY_OWNER_PASSWORD: password,
  IDENTITY_PASSWORD: password,
  CONTENT_OWNER_PASSWORD: password,
  CONTENT_PASSWORD: password,
  MEDIA_OWNER_PASSWORD: password,
  MEDIA_PASSWORD: password,
  ENROLLMENT_OWNER_PASSWORD: password,
  ENROLLMENT_PASSWORD: password,
  NATS_IDENTITY_PASSWORD: word,
  NATS_CONTENT_PASSWORD: word,
  NATS_MEDIA_PASSWORD: word,
  NATS_ENROLLMENT_PASSWORD: word,
  NATS_GATEWAY_PASSWORD: word,
  NATS_OPERATOR_PASSWORD: word,
  REDIS_PASSWORD: password,
  S3_ACCESS_KEY_ID: () => randomBytes(10).toString('hex'),
  S3_SECRET_ACCESS_KEY: password,
  WEBHOOK_SECRET: () => `whsec_${randomBytes(32).toString('base64')}`,
  PLAYBACK_SECRET: password,
  GRAFANA_PASSWORD: password,
};

/** The pair that passports are signed and verified with. */
export const makePassportKeys = () =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

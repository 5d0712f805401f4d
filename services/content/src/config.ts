import { Choice, Count, HttpUrl, NatsUrl, Pem, PostgresUrl, processSettings } from '@lms/config/settings';
import { Type } from '@sinclair/typebox';

export const ContentConfig = Type.Object({
  ...processSettings,
  DATABASE_URL: PostgresUrl(),
  NATS_URL: NatsUrl(),
  PASSPORT_PUBLIC_KEY: Pem(),
  ENROLLMENT_URL: HttpUrl(),
  IDENTITY_URL: HttpUrl(),
  PUBLIC_URL: HttpUrl(),
  CONTENT_VISIBILITY: Choice(['private', 'public'], 'private'),
  CONTENT_RETENTION_DAYS: Count({ default: 30 }),
});

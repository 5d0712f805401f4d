import { HttpUrl, NatsUrl, Pem, PostgresUrl, processSettings } from '@lms/config/settings';
import { Type } from '@sinclair/typebox';

export const Config = Type.Object({
  ...processSettings,
  DATABASE_URL: PostgresUrl(),
  NATS_URL: NatsUrl(),
  PASSPORT_PUBLIC_KEY: Pem(),
  CONTENT_URL: HttpUrl(),
  IDENTITY_URL: HttpUrl(),
});

import { Choice, Count, HttpUrl, serviceSettings } from '@lms/config/settings';
import { type Static, Type } from '@sinclair/typebox';

export const Config = Type.Object({
  ...serviceSettings,
  ENROLLMENT_URL: HttpUrl(),
  IDENTITY_URL: HttpUrl(),
  PUBLIC_URL: HttpUrl(),
  CONTENT_VISIBILITY: Choice(['private', 'public'], 'private'),
  CONTENT_RETENTION_DAYS: Count({ default: 30 }),
});
export type Config = Static<typeof Config>;

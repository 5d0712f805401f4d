import { HttpUrl, serviceSettings } from '@lms/config/settings';
import { type Static, Type } from '@sinclair/typebox';

export const Config = Type.Object({
  ...serviceSettings,
  CONTENT_URL: HttpUrl(),
  IDENTITY_URL: HttpUrl(),
});
export type Config = Static<typeof Config>;

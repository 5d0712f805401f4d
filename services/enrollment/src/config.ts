import { HttpUrl, serviceSettings } from '@lms/config/settings';
import { type Static, Type } from '@sinclair/typebox';

export const Config = Type.Object({
  ...serviceSettings,
  CONTENT_URL: HttpUrl({ description: 'Internal URL of content' }),
  IDENTITY_URL: HttpUrl({ description: 'Internal URL of identity' }),
});
export type Config = Static<typeof Config>;

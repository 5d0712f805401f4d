import { HttpOrigin, serviceSettings } from '@lms/config/settings';
import { type Static, Type } from '@sinclair/typebox';

export const Config = Type.Object({
  ...serviceSettings,
  CONTENT_URL: HttpOrigin({ description: 'Internal URL of content' }),
  IDENTITY_URL: HttpOrigin({ description: 'Internal URL of identity' }),
});
export type Config = Static<typeof Config>;

import { BaseUrl, Choice, Count, HttpOrigin, ServiceSecret, serviceSettings } from '@lms/config/settings';
import { type Static, Type } from '@sinclair/typebox';

export const Config = Type.Object({
  ...serviceSettings,
  ENROLLMENT_URL: HttpOrigin({ description: 'Internal URL of enrollment' }),
  IDENTITY_URL: HttpOrigin({ description: 'Internal URL of identity' }),
  MEDIA_URL: HttpOrigin({ description: 'Internal URL of media' }),
  SERVICE_SECRET: ServiceSecret(),
  PUBLIC_URL: BaseUrl({ description: 'The API as clients reach it; the beginning of the URLs in responses' }),
  CONTENT_VISIBILITY: Choice(['private', 'public'], 'private', {
    description: '`public` shows the text of topics to everyone; videos and documents stay protected',
  }),
  CONTENT_RETENTION_DAYS: Count({
    default: 30,
    maximum: 36_500,
    expected: 'a whole number from 1 to 36500',
    description: 'Days until deleted content is purged',
  }),
});
export type Config = Static<typeof Config>;

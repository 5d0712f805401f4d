import { Choice, Count, HttpUrl, serviceSettings } from '@lms/config/settings';
import { type Static, Type } from '@sinclair/typebox';

const s3Settings = {
  S3_ENDPOINT: Type.Optional(HttpUrl()),
  S3_BUCKET: Type.String({ minLength: 1 }),
  S3_REGION: Type.String({ minLength: 1, default: 'us-east-1' }),
  S3_ACCESS_KEY_ID: Type.String({ minLength: 1 }),
  S3_SECRET_ACCESS_KEY: Type.String({ minLength: 1 }),
};
export const S3Config = Type.Object(s3Settings);

const storageSettings = {
  STORAGE: Choice(['file', 's3'], 'file'),
  STORAGE_PATH: Type.Optional(Type.String({ minLength: 1 })),
  ...Type.Partial(S3Config).properties,
};
const StorageConfig = Type.Object(storageSettings);
export type StorageConfig = Static<typeof StorageConfig>;

export const Config = Type.Object({
  ...serviceSettings,
  ...storageSettings,
  CONTENT_URL: HttpUrl(),
  PUBLIC_URL: HttpUrl(),
  MAX_VIDEO_BYTES: Count({ default: 1024 ** 3 }),
  MAX_DOCUMENT_BYTES: Count({ default: 50 * 1024 ** 2 }),
  MAX_CONCURRENT_UPLOADS: Count({ default: 16 }),
  REAPER_INTERVAL_SECONDS: Count({ default: 60 }),
  PLAYBACK_SECRET: Type.String({ minLength: 16, expected: 'a secret of at least 16 characters' }),
});
export type Config = Static<typeof Config>;

/** The settings that the chosen storage needs. */
export function checkConfig(config: Partial<StorageConfig>): string[] {
  const needed =
    config.STORAGE === 's3'
      ? (['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const)
      : (['STORAGE_PATH'] as const);
  return needed.filter((name) => config[name] === undefined).map((name) => `${name}: is required`);
}

import { BaseUrl, Choice, Count, HttpOrigin, Seconds, ServiceSecret, serviceSettings } from '@lms/config/settings';
import { type Static, Type } from '@sinclair/typebox';

const s3Settings = {
  S3_ENDPOINT: Type.Optional(BaseUrl({ description: 'URL of an S3-compatible server; AWS if not set' })),
  S3_BUCKET: Type.String({ minLength: 1, description: 'Bucket for videos and documents' }),
  S3_REGION: Type.String({ minLength: 1, default: 'us-east-1', description: 'Region of the bucket' }),
  S3_ACCESS_KEY_ID: Type.String({ minLength: 1, description: 'S3 access key' }),
  S3_SECRET_ACCESS_KEY: Type.String({ minLength: 1, description: 'S3 secret key' }),
};
export const S3Config = Type.Object(s3Settings);

export const storageSettings = {
  STORAGE: Choice(['file', 's3'], 'file', { description: 'Where videos and documents are stored' }),
  STORAGE_PATH: Type.Optional(Type.String({ minLength: 1, description: 'Folder for `file` storage' })),
  ...Type.Partial(S3Config).properties,
};
const StorageConfig = Type.Object(storageSettings);
export type StorageConfig = Static<typeof StorageConfig>;

export const Config = Type.Object({
  ...serviceSettings,
  ...storageSettings,
  CONTENT_URL: HttpOrigin({ description: 'Internal URL of content' }),
  SERVICE_SECRET: ServiceSecret(),
  PUBLIC_URL: BaseUrl({ description: 'Public URL of the API, with which URLs in responses begin' }),
  MAX_VIDEO_BYTES: Count({ default: 1024 ** 3, description: 'Maximum size of a video' }),
  MAX_DOCUMENT_BYTES: Count({ default: 50 * 1024 ** 2, description: 'Maximum size of a document' }),
  MAX_CONCURRENT_UPLOADS: Count({
    default: 16,
    description: 'Maximum number of concurrent uploads per process; a user gets a quarter of them',
  }),
  REAPER_INTERVAL_SECONDS: Seconds({
    default: 60,
    description: 'Interval at which unfinished uploads and removals are cleaned up',
  }),
  PLAYBACK_SECRET: Type.String({
    minLength: 16,
    expected: 'a secret of at least 16 characters',
    description: 'Secret from which the encryption key of playback URLs is derived',
  }),
});
export type Config = Static<typeof Config>;

/** Checks that the settings of the selected storage are present. */
export function checkConfig(config: Partial<StorageConfig>): string[] {
  const needed =
    config.STORAGE === 's3'
      ? (['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const)
      : (['STORAGE_PATH'] as const);
  return needed.filter((name) => config[name] === undefined).map((name) => `${name}: is required`);
}

import { ConfigError, type Environment, loadConfig } from '@lms/config/load-config';
import { Choice, Count, HttpUrl, NatsUrl, Pem, PostgresUrl, processSettings } from '@lms/config/settings';
import { Type } from '@sinclair/typebox';

const MediaConfig = Type.Object({
  ...processSettings,
  DATABASE_URL: PostgresUrl(),
  NATS_URL: NatsUrl(),
  PASSPORT_PUBLIC_KEY: Pem(),
  CONTENT_URL: HttpUrl(),
  PUBLIC_URL: HttpUrl(),
  STORAGE: Choice(['file', 's3'], 'file'),
  MAX_VIDEO_BYTES: Count({ default: 1024 ** 3 }),
  MAX_DOCUMENT_BYTES: Count({ default: 50 * 1024 ** 2 }),
  MAX_CONCURRENT_UPLOADS: Count({ default: 16 }),
  REAPER_INTERVAL_SECONDS: Count({ default: 60 }),
  PLAYBACK_SECRET: Type.String({ minLength: 16, expected: 'a secret of at least 16 characters' }),
});

const FileConfig = Type.Object({ STORAGE_PATH: Type.String({ minLength: 1 }) });

export const S3Config = Type.Object({
  S3_ENDPOINT: Type.Optional(HttpUrl()),
  S3_BUCKET: Type.String({ minLength: 1 }),
  S3_REGION: Type.String({ minLength: 1, default: 'us-east-1' }),
  S3_ACCESS_KEY_ID: Type.String({ minLength: 1 }),
  S3_SECRET_ACCESS_KEY: Type.String({ minLength: 1 }),
});

/** The settings of this process and of the storage they choose. @throws ConfigError with every problem at once */
export function loadMediaConfig(environment: Environment) {
  const problems: string[] = [];
  const attempt = <T>(load: () => T): T | undefined => {
    try {
      return load();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
      return undefined;
    }
  };
  const media = attempt(() => loadConfig(MediaConfig, environment));
  const file = environment.STORAGE === 's3' ? undefined : attempt(() => loadConfig(FileConfig, environment));
  const s3 = environment.STORAGE === 's3' ? attempt(() => loadConfig(S3Config, environment)) : undefined;
  if (problems.length > 0 || !media) throw new ConfigError(problems);
  return { ...media, file, s3 };
}

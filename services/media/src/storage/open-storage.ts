import type { Storage } from '../storage.ts';
import { createFileStorage } from './file.ts';
import { createS3Storage } from './s3.ts';

export interface StorageSettings {
  file: { STORAGE_PATH: string } | undefined;
  s3:
    | {
        S3_ENDPOINT?: string;
        S3_BUCKET: string;
        S3_REGION: string;
        S3_ACCESS_KEY_ID: string;
        S3_SECRET_ACCESS_KEY: string;
      }
    | undefined;
}

/** The storage that the settings choose. */
export function openStorage({ file, s3 }: StorageSettings): Storage {
  if (file) return createFileStorage(file.STORAGE_PATH);
  if (!s3) throw new Error('No storage is chosen');
  return createS3Storage({
    ...(s3.S3_ENDPOINT && { endpoint: s3.S3_ENDPOINT }),
    bucket: s3.S3_BUCKET,
    region: s3.S3_REGION,
    accessKeyId: s3.S3_ACCESS_KEY_ID,
    secretAccessKey: s3.S3_SECRET_ACCESS_KEY,
  });
}

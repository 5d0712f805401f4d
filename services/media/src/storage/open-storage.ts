import { Value } from '@sinclair/typebox/value';
import { S3Config, type StorageConfig } from '../config.ts';
import type { Storage } from '../storage.ts';
import { createFileStorage } from './file.ts';

/** Creates the storage that the settings select. */
export async function openStorage(config: StorageConfig): Promise<Storage> {
  if (config.STORAGE === 'file' && config.STORAGE_PATH) return createFileStorage(config.STORAGE_PATH);
  if (!Value.Check(S3Config, config)) throw new Error('The storage settings are incomplete');
  // The AWS SDK takes 7 MB.
  const { createS3Storage } = await import('./s3.ts');
  return createS3Storage({
    ...(config.S3_ENDPOINT && { endpoint: config.S3_ENDPOINT }),
    bucket: config.S3_BUCKET,
    region: config.S3_REGION,
    accessKeyId: config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY,
  });
}

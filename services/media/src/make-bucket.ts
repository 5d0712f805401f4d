import { ConfigError, configExitCode, loadConfig } from '@lms/config/load-config';
import { S3Config } from './config.ts';
import { ensureBucket } from './storage/s3-bucket.ts';

/** Creates the S3 bucket before media starts for the first time; idempotent. */
try {
  const config = loadConfig(S3Config, process.env);
  const created = await ensureBucket({
    ...(config.S3_ENDPOINT && { endpoint: config.S3_ENDPOINT }),
    bucket: config.S3_BUCKET,
    region: config.S3_REGION,
    accessKeyId: config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY,
  });
  console.log(`media: the bucket "${config.S3_BUCKET}" ${created ? 'was created' : 'already exists'}`);
} catch (error) {
  process.stderr.write(`media: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof ConfigError ? configExitCode : 1;
}

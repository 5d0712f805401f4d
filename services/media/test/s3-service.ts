import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import S3rver from '@20minutes/s3rver';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { waitFor } from '@lms/testing/wait-for';
import type { Test } from 'tap';
import type { S3Options } from '../src/storage/s3.ts';

/** Starts an S3 server with a bucket. */
export async function startS3(t: Test) {
  const directory = await mkdtemp(join(tmpdir(), 'lms-s3-'));
  // The server signs the path of a bucket with a trailing slash; the SDK does not.
  const signatures = { allowMismatchedSignatures: true };
  const server = new S3rver({ address: '127.0.0.1', port: 0, directory, silent: true, ...signatures });
  const { port } = await server.run();
  t.teardown(async () => {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  });
  return bucketOn(t, {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    bucket: 'lms-test',
  });
}

/** Creates a bucket on the server in S3_TEST_ENDPOINT, if there is one. */
export async function externalS3(t: Test) {
  const { S3_TEST_ENDPOINT, S3_TEST_BUCKET, S3_TEST_REGION, S3_TEST_ACCESS_KEY_ID, S3_TEST_SECRET_ACCESS_KEY } = {
    ...process.env,
    ...(await readSettings()),
  };
  if (!S3_TEST_ENDPOINT) return undefined;
  return bucketOn(t, {
    endpoint: S3_TEST_ENDPOINT,
    region: S3_TEST_REGION ?? 'us-east-1',
    accessKeyId: S3_TEST_ACCESS_KEY_ID ?? '',
    secretAccessKey: S3_TEST_SECRET_ACCESS_KEY ?? '',
    bucket: `${S3_TEST_BUCKET ?? 'lms-test'}-${randomBytes(6).toString('hex')}`,
  });
}

/** Waits for the settings of the S3 server that `.ci/run` starts; empty if it could not be started. */
async function readSettings(): Promise<NodeJS.Dict<string>> {
  const directory = process.env.S3_TEST_DIRECTORY;
  if (!directory) return {};
  const [settings, failed] = [join(directory, 'settings'), join(directory, 'failed')];
  await waitFor(() => existsSync(settings) || existsSync(failed), { timeoutMs: 240_000, until: settings });
  return existsSync(settings) ? parseEnv(await readFile(settings, 'utf8')) : {};
}

async function bucketOn(
  t: Test,
  { bucket: Bucket, endpoint, region, ...credentials }: S3Options & { endpoint: string },
) {
  const client = new S3Client({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  await client.send(new CreateBucketCommand({ Bucket }));
  t.teardown(async () => {
    await client.send(new DeleteBucketCommand({ Bucket })).catch(() => undefined);
    client.destroy();
  });
  const options: S3Options = { bucket: Bucket, endpoint, region, ...credentials };
  return {
    options,
    client,
    keys: async () => ((await client.send(new ListObjectsV2Command({ Bucket }))).Contents ?? []).map(({ Key }) => Key),
    openUploads: async () =>
      ((await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []).map(({ Key }) => Key),
  };
}

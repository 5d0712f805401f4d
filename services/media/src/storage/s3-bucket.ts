import { CreateBucketCommand, HeadBucketCommand } from '@aws-sdk/client-s3';
import { createS3Client, type S3Options } from './s3.ts';

const idleMs = 30_000;

/** Makes the bucket unless it is there. @returns whether it was made */
export async function ensureBucket({ bucket: Bucket, ...options }: S3Options): Promise<boolean> {
  const client = createS3Client(options, idleMs);
  try {
    await client.send(new HeadBucketCommand({ Bucket }));
    return false;
  } catch (error) {
    // A HEAD is answered without a body, so that the SDK knows no better name than `UnknownError`.
    const status: unknown = Object(error).$metadata?.httpStatusCode;
    if (status === undefined) throw error;
    if (status !== 404) throw new Error(`the store answers ${status} when asked for the bucket "${Bucket}"`);
    await client.send(new CreateBucketCommand({ Bucket }));
    return true;
  } finally {
    client.destroy();
  }
}

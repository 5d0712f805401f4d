import { CreateBucketCommand, HeadBucketCommand } from '@aws-sdk/client-s3';
import { connect, type S3Options } from './s3.ts';

const idleMs = 30_000;

/** Makes the bucket unless it is there. @returns whether it was made */
export async function ensureBucket({ bucket: Bucket, ...options }: S3Options): Promise<boolean> {
  const client = connect(options, idleMs);
  try {
    await client.send(new HeadBucketCommand({ Bucket }));
    return false;
  } catch (error) {
    if (Object(error).$metadata?.httpStatusCode !== 404) throw error;
    await client.send(new CreateBucketCommand({ Bucket }));
    return true;
  } finally {
    client.destroy();
  }
}

import { CreateBucketCommand, HeadBucketCommand } from '@aws-sdk/client-s3';
import { createS3Client, type S3Options } from './s3.ts';

const idleMs = 30_000;

/** Creates the bucket unless it exists. @returns whether it was created */
export async function ensureBucket({ bucket: Bucket, ...options }: S3Options): Promise<boolean> {
  const client = createS3Client(options, idleMs);
  try {
    await client.send(new HeadBucketCommand({ Bucket }));
    return false;
  } catch (error) {
    // A HEAD response has no body, so the SDK names every error `UnknownError`.
    const status: unknown = Object(error).$metadata?.httpStatusCode;
    const server = `S3 at ${options.endpoint ?? options.region}`;
    if (status === undefined) throw new Error(`${server} did not respond: ${describe(error)}`, { cause: error });
    if (status !== 404) throw new Error(`${server} responded with ${status} to a request for the bucket "${Bucket}"`);
    await client.send(new CreateBucketCommand({ Bucket }));
    return true;
  } finally {
    client.destroy();
  }
}

// The message of an AggregateError, for a host with several addresses, is empty.
const describe = (error: unknown) => Object(error).message || Object(error).code || String(error);

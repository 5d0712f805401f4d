import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { assertKey, type ByteRange, ObjectMissing, type Storage, StorageFailure } from '../storage.ts';
import { abortMultipart, putInParts } from './s3-parts.ts';

export interface S3Options {
  /** Omitted for AWS. */
  endpoint?: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The idle timeout of a connection. */
  idleMs?: number;
}

/** Stores objects in a bucket of an S3-compatible server. */
export function createS3Storage({ bucket: Bucket, idleMs = 30_000, ...options }: S3Options): Storage {
  const client = createS3Client(options, idleMs);

  return {
    async put(key, bytes, { onMultipart = async () => undefined, signal } = {}) {
      assertKey(key);
      await putInParts({ client, object: { Bucket, Key: key }, bytes, onMultipart, signal });
    },

    async open(key, range, abortSignal) {
      assertKey(key);
      const Range = range && `bytes=${range.start}-${range.end}`;
      try {
        const command = new GetObjectCommand({ Bucket, Key: key, ...(Range && { Range }) });
        const response = await client.send(command, { ...(abortSignal && { abortSignal }) });
        if (!(response.Body instanceof Readable)) throw new Error('the response has no body');
        return range ? sliceBody(response.Body, range, response) : response.Body;
      } catch (error) {
        throw isNotFound(error) ? new ObjectMissing(key, { cause: error }) : storageFailure(error);
      }
    },

    async stat(key) {
      assertKey(key);
      try {
        const { ContentLength = 0 } = await client.send(new HeadObjectCommand({ Bucket, Key: key }));
        return { size: ContentLength };
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw storageFailure(error);
      }
    },

    async remove(key, multipartId) {
      assertKey(key);
      try {
        if (multipartId) await abortMultipart(client, { Bucket, Key: key, UploadId: multipartId });
        await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
      } catch (error) {
        throw storageFailure(error);
      }
    },

    async *list() {
      try {
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket }))
          yield Contents.flatMap(({ Key: key, LastModified: modifiedAt }) =>
            key !== undefined && modifiedAt ? [{ key, modifiedAt }] : [],
          );
      } catch (error) {
        throw storageFailure(error);
      }
    },

    async check() {
      try {
        await client.send(new HeadBucketCommand({ Bucket }));
      } catch (error) {
        if (Object(error).$metadata?.httpStatusCode === 404)
          throw new Error(`the bucket "${Bucket}" does not exist`, { cause: error });
        throw new Error(`the bucket "${Bucket}" is not accessible: ${storageFailure(error).message}`, { cause: error });
      }
    },

    close: () => client.destroy(),
  };
}

export function createS3Client(
  { endpoint, region, accessKeyId, secretAccessKey }: Omit<S3Options, 'bucket'>,
  idleMs: number,
) {
  const agent = { keepAlive: true, maxSockets: 1_024 };
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // Other servers reject the checksum trailers that the SDK sends by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 2_000, socketTimeout: idleMs, httpAgent: agent, httpsAgent: agent },
  });
  disablePayloadSigning(client);
  return client;
}

// Hashing each part for the signature takes half of an upload's CPU time. TLS, or the trusted network, protects the bytes,
// and the SHA-256 checksum of the whole object is computed while it is received.
function disablePayloadSigning(client: S3Client) {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const headers: unknown = Object(args.request).headers;
        if (['PutObjectCommand', 'UploadPartCommand'].includes(commandName))
          Object.assign(Object(headers), { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' });
        return next(args);
      },
    { step: 'build', name: 'leavePayloadsUnsigned' },
  );
}

// Some servers return the whole object for `bytes=0-0`.
function sliceBody(
  body: Readable,
  { start, end }: ByteRange,
  response: Pick<GetObjectCommandOutput, 'ContentLength' | 'ContentRange'>,
) {
  const length = end - start + 1;
  if (response.ContentLength === length) return body;
  if (start === 0 || response.ContentRange?.startsWith(`bytes ${start}-`))
    return Readable.from(firstBytes(body, length));
  body.destroy();
  throw new Error('the response contains another range than requested');
}

async function* firstBytes(body: Readable, length: number): AsyncGenerator<Uint8Array> {
  let left = length;
  for await (const chunk of body) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}

// A missing bucket says nothing about an object.
const isNotFound = (error: unknown) =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket';

const storageFailure = (error: unknown) =>
  new StorageFailure(error instanceof Error ? `${error.name}: ${error.message}` : String(error), { cause: error });

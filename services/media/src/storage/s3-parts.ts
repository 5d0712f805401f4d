import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { StorageFailure } from '../storage.ts';

/** The maximum of 10,000 parts makes 80 GiB, while few bytes are held in memory. */
export const partBytes = 8 * 1024 * 1024;
const partsInFlight = 2;
const partTimeoutMs = 120_000;

// Buffers of finished uploads are reused: garbage collection of large buffers is slow.
const spareBuffers: Buffer[] = [];
const maxSpareBuffers = 2 * (partsInFlight + 1);
const takeBuffer = () => spareBuffers.pop() ?? Buffer.allocUnsafeSlow(partBytes);
const recycleBuffers = (buffers: Buffer[]) =>
  spareBuffers.push(...buffers.slice(0, Math.max(0, maxSpareBuffers - spareBuffers.length)));

export interface PutInParts {
  client: S3Client;
  object: { Bucket: string; Key: string };
  bytes: AsyncIterable<Uint8Array>;
  onMultipart: (multipartId: string) => Promise<unknown>;
  signal: AbortSignal | undefined;
}

/**
 * Stores bytes of unknown length: one PUT if they fit into a part, else a multipart upload. The SDK's own uploader
 * neither exposes the upload id before it sends parts nor waits for its own abort.
 */
export async function putInParts({ client, object, bytes, onMultipart, signal }: PutInParts) {
  const failed = new AbortController();
  const buffers: Buffer[] = [];
  const running = new Set<Promise<void>>();
  const done: CompletedPart[] = [];
  const failures: unknown[] = [];
  let multipartId: string | undefined;
  let sent = 0;

  const options = () => ({
    abortSignal: AbortSignal.any([failed.signal, AbortSignal.timeout(partTimeoutMs), ...(signal ? [signal] : [])]),
  });

  async function send(buffer: Buffer, filled: number) {
    multipartId ??= await createMultipart();
    if (running.size >= partsInFlight) await Promise.race(running);
    if (failures.length > 0) throw failures[0];
    sent += 1;
    const part = sendPart(buffer, filled, sent)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(part));
    running.add(part);
  }

  async function createMultipart() {
    const { UploadId } = await asStorageFailure(client.send(new CreateMultipartUploadCommand(object), options()));
    if (!UploadId) throw new StorageFailure('S3 returned no id for a multipart upload');
    multipartId = UploadId;
    await onMultipart(UploadId);
    return UploadId;
  }

  async function sendPart(buffer: Buffer, filled: number, PartNumber: number) {
    const Body = buffer.subarray(0, filled);
    const command = new UploadPartCommand({ ...object, UploadId: multipartId, PartNumber, Body });
    const { ETag } = await asStorageFailure(client.send(command, options()));
    done.push({ PartNumber, ETag });
    buffers.push(buffer);
  }

  async function fill(): Promise<[Buffer, number]> {
    let buffer = nextBuffer();
    let filled = 0;
    for await (const chunk of bytes) {
      signal?.throwIfAborted();
      for (let taken = 0; taken < chunk.length; ) {
        if (filled === partBytes) {
          await send(buffer, filled);
          [buffer, filled] = [nextBuffer(), 0];
        }
        const piece = chunk.subarray(taken, taken + partBytes - filled);
        buffer.set(piece, filled);
        filled += piece.length;
        taken += piece.length;
      }
    }
    return [buffer, filled];
  }

  // A buffer is reused once its part is stored: an upload has at most one more buffer than parts in flight.
  const nextBuffer = () => buffers.pop() ?? takeBuffer();

  try {
    const [buffer, filled] = await fill();
    if (multipartId === undefined) {
      const Body = buffer.subarray(0, filled);
      await asStorageFailure(client.send(new PutObjectCommand({ ...object, Body }), options()));
      recycleBuffers([buffer]);
      return;
    }
    await send(buffer, filled);
    await Promise.all(running);
    if (failures.length > 0) throw failures[0];
    const Parts = done.toSorted((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0));
    const command = new CompleteMultipartUploadCommand({
      ...object,
      UploadId: multipartId,
      MultipartUpload: { Parts },
    });
    await asStorageFailure(client.send(command, options()));
    // Only after success: an aborted request may still use its buffer.
    recycleBuffers(buffers);
  } catch (error) {
    failed.abort();
    await Promise.all(running);
    if (multipartId !== undefined)
      await abortMultipart(client, { ...object, UploadId: multipartId }).catch(() => undefined);
    throw error;
  }
}

// The upload does not exist, or the server does not support aborting.
const ignoredAbortStatuses = [404, 405, 501];

/** Aborts an open multipart upload; succeeds if it does not exist. */
export async function abortMultipart(client: S3Client, upload: { Bucket: string; Key: string; UploadId: string }) {
  try {
    await client.send(new AbortMultipartUploadCommand(upload));
  } catch (error) {
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    if (status === undefined || !ignoredAbortStatuses.includes(status)) throw error;
  }
}

const asStorageFailure = <T>(request: Promise<T>): Promise<T> =>
  request.catch((cause: unknown) => {
    throw new StorageFailure(cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause), { cause });
  });

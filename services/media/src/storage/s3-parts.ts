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

/** 8 MiB a part: 10,000 of them are 80 GiB, and what lies in memory stays small. */
export const partBytes = 8 * 1024 * 1024;
const partsInFlight = 2;
const partTimeoutMs = 120_000;

// Buffers of uploads that have ended, for the next ones: the collector is slow to see that they are large.
const spare: Buffer[] = [];
const mostSpare = 2 * (partsInFlight + 1);
const takeBuffer = () => spare.pop() ?? Buffer.allocUnsafeSlow(partBytes);
const keepBuffers = (buffers: Buffer[]) => spare.push(...buffers.slice(0, Math.max(0, mostSpare - spare.length)));

export interface PutInParts {
  client: S3Client;
  object: { Bucket: string; Key: string };
  bytes: AsyncIterable<Uint8Array>;
  onMultipart: (multipartId: string) => Promise<unknown>;
  signal: AbortSignal | undefined;
}

/**
 * Stores bytes of unknown length: one PUT when they fit a part, else a multipart upload. Written out because the SDK's own
 * uploader can neither tell its upload's id before the parts nor wait for its own abort.
 */
export async function putInParts({ client, object, bytes, onMultipart, signal }: PutInParts) {
  const giveUp = new AbortController();
  const buffers: Buffer[] = [];
  const running = new Set<Promise<void>>();
  const done: CompletedPart[] = [];
  const failures: unknown[] = [];
  let multipartId: string | undefined;
  let sent = 0;

  const options = () => ({
    abortSignal: AbortSignal.any([giveUp.signal, AbortSignal.timeout(partTimeoutMs), ...(signal ? [signal] : [])]),
  });

  async function send(buffer: Buffer, filled: number) {
    multipartId ??= await begin();
    if (running.size >= partsInFlight) await Promise.race(running);
    if (failures.length > 0) throw failures[0];
    sent += 1;
    const part = sendPart(buffer, filled, sent)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(part));
    running.add(part);
  }

  async function begin() {
    const { UploadId } = await storing(client.send(new CreateMultipartUploadCommand(object), options()));
    if (!UploadId) throw new StorageFailure('a multipart upload without an id');
    multipartId = UploadId;
    await onMultipart(UploadId);
    return UploadId;
  }

  async function sendPart(buffer: Buffer, filled: number, PartNumber: number) {
    const Body = buffer.subarray(0, filled);
    const command = new UploadPartCommand({ ...object, UploadId: multipartId, PartNumber, Body });
    const { ETag } = await storing(client.send(command, options()));
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

  // A buffer is free again once its part is stored, so an upload has at most one more of them than parts in flight.
  const nextBuffer = () => buffers.pop() ?? takeBuffer();

  try {
    const [buffer, filled] = await fill();
    if (multipartId === undefined) {
      const Body = buffer.subarray(0, filled);
      await storing(client.send(new PutObjectCommand({ ...object, Body }), options()));
      keepBuffers([buffer]);
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
    await storing(client.send(command, options()));
    // Only of uploads that went well: an aborted request may still hold on to its bytes.
    keepBuffers(buffers);
  } catch (error) {
    giveUp.abort();
    await Promise.all(running);
    if (multipartId !== undefined)
      await abortMultipart(client, { ...object, UploadId: multipartId }).catch(() => undefined);
    throw error;
  }
}

// Gone already; or the store knows no aborts, and has nothing that we could free.
const nothingToAbort = [404, 405, 501];

/** Frees an open multipart upload; one that is gone counts as freed. */
export async function abortMultipart(client: S3Client, upload: { Bucket: string; Key: string; UploadId: string }) {
  try {
    await client.send(new AbortMultipartUploadCommand(upload));
  } catch (error) {
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    if (status === undefined || !nothingToAbort.includes(status)) throw error;
  }
}

const storing = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((cause: unknown) => {
    throw new StorageFailure(cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause), { cause });
  });

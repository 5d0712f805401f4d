import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Principal } from '@lms/contracts/passport';
import { passportHeaders } from '@lms/testing/principals';
import { waitFor } from '@lms/testing/wait-for';
import type { Media } from './start-media.ts';

export const videoUploads = (topicId: string) => `/api/admin/education/topics/${topicId}/video/uploads`;
export const documentUploads = '/api/s3/document/uploads';
export const tusHeaders = { 'tus-resumable': '1.0.0' };
export const byteHeaders = { ...tusHeaders, 'content-type': 'application/offset+octet-stream' };

export const encodeMetadata = (texts: Record<string, string>) =>
  Object.entries(texts)
    .map(([name, text]) => `${name} ${Buffer.from(text).toString('base64')}`)
    .join(',');

export const checksum = (algorithm: 'sha1' | 'sha256', bytes: Uint8Array) =>
  `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`;

export const mebibyte = 1_024 * 1_024;

/** The pieces of uploads that are not finished. */
export const partKeys = (media: Media) => media.database.sql<{ key: string }[]>`select key from upload_parts`;

type Target = Pick<Media, 'send'>;

/** Creates an upload. */
export const create = (
  media: Target,
  user: Principal,
  path: string,
  length: number,
  metadata: Record<string, string> = { filename: 'lesson.mp4' },
  headers: Record<string, string> = {},
  body?: Uint8Array,
) =>
  media.send(user, path, {
    method: 'POST',
    headers: {
      ...(body ? byteHeaders : tusHeaders),
      'upload-length': String(length),
      'upload-metadata': encodeMetadata(metadata),
      ...headers,
    },
    ...(body && { body: Buffer.from(body) }),
  });

/** Creates an upload that has to succeed, and returns its path. */
export async function createPath(...given: Parameters<typeof create>): Promise<string> {
  const response = await create(...given);
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return response.headers.get('location') ?? '';
}

export const patch = (
  media: Target,
  user: Principal,
  path: string,
  offset: number,
  body: Uint8Array,
  headers: Record<string, string> = {},
) =>
  media.send(user, path, {
    method: 'PATCH',
    headers: { ...byteHeaders, 'upload-offset': String(offset), ...headers },
    body: Buffer.from(body),
  });

export async function offsetOf(media: Target, user: Principal, path: string): Promise<number> {
  const response = await media.send(user, path, { method: 'HEAD', headers: tusHeaders });
  if (response.status !== 200) throw new Error(`HEAD ${response.status}`);
  return Number(response.headers.get('upload-offset'));
}

/** The result of an upload, as soon as it is done. */
export const resultOf = (media: Target, user: Principal, path: string) =>
  waitFor(
    async () => {
      const response = await media.send(user, `${path}/result`);
      return response.status === 202 ? undefined : response;
    },
    { until: `the result of ${path}` },
  );

/** A PATCH that is sent piece by piece, and may be cut. */
export function startPatch(
  { port }: Pick<Media, 'port'>,
  user: Principal,
  path: string,
  offset: number,
  length?: number,
  headers: Record<string, string> = {},
) {
  const sending = httpRequest({
    host: '127.0.0.1',
    port,
    method: 'PATCH',
    path,
    headers: {
      ...byteHeaders,
      'upload-offset': String(offset),
      ...(length !== undefined && { 'content-length': String(length) }),
      ...passportHeaders(user),
      ...headers,
    },
  });
  sending.on('error', () => undefined);
  const response = once(sending, 'response').then(([incoming]: IncomingMessage[]) => {
    incoming?.resume();
    return incoming?.statusCode ?? 0;
  });
  response.catch(() => undefined);
  return {
    response,
    write: (bytes: Uint8Array) =>
      new Promise<void>((resolve, reject) => void sending.write(bytes, (error) => (error ? reject(error) : resolve()))),
    end: () => sending.end(),
    cut: () => sending.destroy(),
  };
}

/** The bytes of unfinished uploads that media has written to the disk. */
export async function bytesOnDisk({ root }: Pick<Media, 'root'>): Promise<number> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const parts = entries.filter((entry) => entry.isFile() && entry.name.startsWith('part-'));
  const sizes = await Promise.all(
    parts.map(async ({ parentPath, name }) => (await stat(join(parentPath, name)).catch(() => ({ size: 0 }))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The body of a response; its type is for the test to know. */
export const jsonOf = async (response: Response) => JSON.parse(await response.text());

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ServiceTokens } from '@lms/auth/service-tokens';
import { JobFile, jobFilePath, putJobFilePath } from '@lms/contracts/internal/media';
import { statusOf, unavailable } from '@lms/service/problems';
import type { ServiceClient } from '@lms/service/service-client';
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { RangeSource } from '../curriculum/range-reader.ts';

/** The user for whom the service acts, and the request that caused it. */
export interface Actor {
  userId: string;
  requestId: string;
}
interface FilePart {
  field: string;
  fileName: string;
  bytes: AsyncIterable<Uint8Array>;
}

const Stored = Type.Object({ data: JobFile });
const UploadedCaptions = Type.Object({ data: Type.Object({ checksum: Type.String() }) });

/** Requests to media with the authority of this service. */
export function createMediaClient(media: ServiceClient, tokens: ServiceTokens) {
  // A token lives for a minute, so each request gets a new one.
  const contextOf = ({ userId, requestId }: Actor) => tokens.callContext(userId, requestId);

  async function sendForm(
    actor: Actor,
    method: 'PUT' | 'POST',
    path: string,
    texts: Record<string, string>,
    file: FilePart,
  ) {
    const boundary = `lms-${randomBytes(16).toString('hex')}`;
    const response = await media.transfer(contextOf(actor), {
      method,
      path,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: Readable.from(formOf(boundary, texts, file), { objectMode: false }),
    });
    return response.body.json();
  }

  return {
    async storeFile(actor: Actor, id: string, file: { fileName: string; bytes: Readable; expiresAt: Date }) {
      const response = await media.transfer(contextOf(actor), {
        method: 'PUT',
        path: putJobFilePath(id, file),
        headers: { 'content-type': 'application/octet-stream' },
        body: file.bytes,
      });
      const stored = await response.body.json();
      if (!Value.Check(Stored, stored)) throw unavailable(new Error('media responded with an unexpected body'));
      return stored.data;
    },

    /** The bytes of a stored file. */
    fileSource: (actor: Actor, id: string, size: number): RangeSource => ({
      size,
      async open(start, end) {
        const headers = { range: `bytes=${start}-${Math.max(start, end - 1)}` };
        const { body } = await media.transfer(contextOf(actor), { path: jobFilePath(id), headers });
        return Readable.from(failAsOutage(body), { objectMode: false });
      },
    }),

    /** Succeeds if it is deleted already. */
    async deleteFile(actor: Actor, id: string) {
      await media
        .request(Type.Unknown(), contextOf(actor), { method: 'DELETE', path: jobFilePath(id) })
        .catch(ignoreNotFound);
    },

    uploadVideo: (actor: Actor, topicId: string, fileName: string, bytes: AsyncIterable<Uint8Array>) =>
      sendForm(actor, 'PUT', `${topicPath(topicId)}/video`, {}, { field: 'video', fileName, bytes }),

    uploadDocument: (
      actor: Actor,
      topicId: string,
      metadata: { name: string; description: string },
      { fileName, bytes }: Pick<FilePart, 'fileName' | 'bytes'>,
    ) =>
      sendForm(
        actor,
        'POST',
        '/api/s3/document/upload',
        { topicId, metadata: JSON.stringify(metadata) },
        { field: 'file', fileName, bytes },
      ),

    /** @returns the checksum of what is stored */
    async uploadCaptions(
      actor: Actor,
      topicId: string,
      { language, ...texts }: { language: string } & Record<string, string>,
      { fileName, bytes }: Pick<FilePart, 'fileName' | 'bytes'>,
    ) {
      const path = `${topicPath(topicId)}/video/captions/${encodeURIComponent(language)}`;
      const uploaded = await sendForm(actor, 'PUT', path, texts, { field: 'captions', fileName, bytes });
      if (!Value.Check(UploadedCaptions, uploaded))
        throw unavailable(new Error('media responded with an unexpected body'));
      return uploaded.data.checksum;
    },

    /** The checksum of the stored captions; undefined if there are none. */
    async findCaptionsChecksum(actor: Actor, topicId: string, language: string): Promise<string | undefined> {
      const path = `/api/education/topics/${topicId}/video/captions/${encodeURIComponent(language)}`;
      const response = await media.transfer(contextOf(actor), { path }).catch(ignoreNotFound);
      await response?.body.dump();
      return response && String(response.headers.etag).replaceAll('"', '');
    },

    async removeVideo(actor: Actor, topicId: string) {
      const removal = { method: 'DELETE', path: `${topicPath(topicId)}/video` } as const;
      await media.request(Type.Unknown(), contextOf(actor), removal).catch(ignoreNotFound);
    },

    async removeCaptions(actor: Actor, topicId: string, language: string) {
      const path = `${topicPath(topicId)}/video/captions/${encodeURIComponent(language)}`;
      await media.request(Type.Unknown(), contextOf(actor), { method: 'DELETE', path }).catch(ignoreNotFound);
    },

    async removeDocument(actor: Actor, topicId: string, documentId: string) {
      const removal = { method: 'DELETE', path: `${topicPath(topicId)}/documents/${documentId}` } as const;
      await media.request(Type.Unknown(), contextOf(actor), removal).catch(ignoreNotFound);
    },
  };
}
export type MediaClient = ReturnType<typeof createMediaClient>;

// A connection that breaks says nothing about the file.
async function* failAsOutage(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (cause) {
    throw unavailable(cause);
  }
}

const topicPath = (topicId: string) => `/api/admin/education/topics/${topicId}`;

function ignoreNotFound(error: unknown): undefined {
  if (statusOf(error) !== 404) throw error;
}

/** A form as browsers send it, with the file last. */
async function* formOf(boundary: string, texts: Record<string, string>, { field, fileName, bytes }: FilePart) {
  const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  for (const [name, value] of Object.entries(texts)) yield `${part(`name="${name}"`)}\r\n${value}\r\n`;
  const escaped = fileName.replace(/[\r\n"]/g, encodeURIComponent);
  yield `${part(`name="${field}"; filename="${escaped}"`)}Content-Type: application/octet-stream\r\n\r\n`;
  yield* bytes;
  yield `\r\n--${boundary}--\r\n`;
}

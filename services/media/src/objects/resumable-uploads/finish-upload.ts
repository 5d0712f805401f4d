import { randomUUID } from 'node:crypto';
import { unavailable } from '@lms/service/problems';
import type { RequestContext } from '../../deps.ts';
import type { ResumableDeps } from './deps.ts';
import { type Held, holdUpload } from './hold-upload.ts';
import { removeParts } from './remove-part.ts';
import { uploadRepository } from './repository.ts';
import type { ResumableUpload, UploadResult } from './table.ts';

type Context = Pick<RequestContext, 'callContext' | 'cause'>;

const maxBackOffSeconds = 600;

/**
 * Finishes received uploads: their pieces become one object, which takes the same way as the file of a form. Nothing is
 * lost if that fails, or if the process is killed: it begins again with the pieces.
 */
export function createFinisher(deps: ResumableDeps) {
  const { db, storage, access, objects, targets, metrics } = deps;
  const running = new Map<string, Promise<void>>();

  async function finish(upload: ResumableUpload, context: Context) {
    const held = await holdUpload(db, upload, 'received', 0);
    // Another process finishes it, or has done so.
    if (!held) return;
    held.progress.isBusy = true;
    try {
      await attach(held, context);
      metrics.count('finished');
    } catch (error) {
      const { statusCode, code, message, details } = Object(error);
      if (!isFinal(statusCode)) {
        await uploadRepository(db).postpone(upload.id, Math.min(2 ** (upload.attempts + 1), maxBackOffSeconds));
        throw error;
      }
      await uploadRepository(db).end(upload.id, 'failed', { statusCode, error: { code, message, details } });
      metrics.count('failed');
    } finally {
      await held.release();
    }
    await removeParts(deps, upload.id).catch(() => undefined);
  }

  async function attach({ upload: received }: Held, context: Context) {
    const { id, kind, userId, topicId, fileName, roles } = received;
    const { file, maxBytes, statusCode, attach } = targets[kind];
    const upload = await objects.uploads.start(undefined, userId, maxBytes);
    try {
      await access.requireManage(context.callContext, topicId, { roles });
      const part = { type: 'file', name: kind, fileName, bytes: readParts(id) } as const;
      const stored = await objects.storeFile(upload, part, file);
      if (stored.size !== received.length)
        throw unavailable(
          new Error(`The pieces of upload ${id} have ${stored.size} bytes instead of ${received.length}`),
        );
      const offered = await upload.markOffered(stored, received);
      await attach(topicId, offered, context, async (tx, data) => {
        const result: UploadResult = { statusCode, data };
        if (!(await uploadRepository(tx).end(id, 'finished', result))) throw new Error(`Upload ${id} was terminated`);
      });
    } catch (error) {
      throw await upload.rollBack(error);
    } finally {
      upload.end();
    }
  }

  async function* readParts(id: string): AsyncGenerator<Uint8Array> {
    for (const { key } of await uploadRepository(db).listParts(id)) yield* await storage.open(key);
  }

  return {
    /** Resolves when the upload is finished, has failed for good, or is being finished by another process. */
    finish(upload: ResumableUpload, context: Context): Promise<void> {
      const known = running.get(upload.id);
      if (known) return known;
      const started = finish(upload, context).finally(() => running.delete(upload.id));
      running.set(upload.id, started);
      return started;
    },
    /** Waits for the uploads that are being finished by this process. */
    settle: async () => void (await Promise.allSettled(running.values())),
  };
}
export type Finisher = ReturnType<typeof createFinisher>;

/** For the reaper: with the stored passport of the user. */
export const contextOf = ({ userId, passport }: ResumableUpload): Context => {
  const requestId = randomUUID();
  return { callContext: { requestId, ...(passport && { passport }) }, cause: { actorId: userId, requestId } };
};

/** False for an error that may be gone later: an outage, no free slot, a passport that is too old. */
const isFinal = (status: unknown): status is number =>
  typeof status === 'number' && status < 500 && ![401, 408, 429].includes(status);

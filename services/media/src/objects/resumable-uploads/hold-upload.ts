import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '@lms/database/connect';
import { uploadRepository } from './repository.ts';
import type { ResumableUpload } from './table.ts';

const waitMs = 3_000;
const pollMs = 100;
const renewMs = 3_000;

/**
 * Makes this request the only one that changes the upload, in all processes. It waits a moment for the request before:
 * after a cut connection, that one may still be storing what it has received. The lease is renewed only while the request
 * makes progress, so that a silent connection does not block the one that replaces it. A request that has lost the lease cannot
 * change the upload any more.
 * @returns undefined if another request holds it, or if it does not have this status
 */
export async function holdUpload(
  db: Db,
  { id }: Pick<ResumableUpload, 'id'>,
  status: 'receiving' | 'received',
  wait = waitMs,
) {
  const holder = randomUUID();
  const until = performance.now() + wait;
  let upload = await uploadRepository(db).acquire(id, holder, status);
  while (!upload && performance.now() < until) {
    await pause(pollMs);
    upload = await uploadRepository(db).acquire(id, holder, status);
  }
  if (!upload) return undefined;

  const progress = { isActive: false, isBusy: false };
  const timer = setInterval(() => {
    if (!progress.isActive && !progress.isBusy) return;
    progress.isActive = false;
    void uploadRepository(db)
      .renew(id, holder)
      .catch(() => undefined);
  }, renewMs).unref();

  return {
    upload,
    holder,
    /** Set `isActive` whenever bytes arrive, and `isBusy` as long as the client is not waited for. */
    progress,
    async release() {
      clearInterval(timer);
      // If it fails, the lease ends by itself.
      await uploadRepository(db)
        .release(id, holder)
        .catch(() => undefined);
    },
  };
}
export type Held = NonNullable<Awaited<ReturnType<typeof holdUpload>>>;

/** Waits a moment for the request that writes the upload, so that its offset includes all that has arrived. */
export async function waitForWriter(db: Db, id: string) {
  const until = performance.now() + waitMs;
  while (performance.now() < until && (await uploadRepository(db).isHeld(id))) await pause(pollMs);
}

import { setTimeout as pause } from 'node:timers/promises';
import type { RequestContext } from '../../deps.ts';
import type { ResumableDeps } from './deps.ts';
import { uploadNotFound } from './errors.ts';
import type { Finisher } from './finish-upload.ts';
import { type UploadId, uploadRepository } from './repository.ts';
import type { ResumableUpload } from './table.ts';

const waitMs = 8_000;

/** Finishes an upload that has all its bytes, and waits a moment for that. @throws 503 if it has to be tried again */
export async function finishSoon(finisher: Finisher, upload: ResumableUpload, context: RequestContext) {
  const finishing = finisher.finish(upload, context);
  // It goes on without this request.
  finishing.catch(() => undefined);
  const waited = new AbortController();
  await Promise.race([finishing, pause(waitMs, undefined, { signal: waited.signal })]).finally(() => waited.abort());
}

/** The upload after an attempt to finish it, if it has all its bytes. */
export async function getResult({ db }: ResumableDeps, finisher: Finisher, id: UploadId, context: RequestContext) {
  const repository = uploadRepository(db);
  const upload = await repository.find(id);
  if (!upload) throw uploadNotFound();
  if (upload.status !== 'received') return upload;
  // The one of the last bytes may be too old.
  const { caller, callContext } = context;
  await repository.setPassport(upload.id, { passport: callContext.passport ?? null, roles: [...caller.roles] });
  await finishSoon(finisher, { ...upload, roles: [...caller.roles] }, context);
  return (await repository.find(id)) ?? upload;
}

import { documentRemoved } from '@lms/contracts/events/media';
import { topicDocumentPath } from '@lms/contracts/internal/content';
import { appendEvent, type Cause } from '@lms/events/append-event';
import type { CallContext } from '@lms/service/service-client';
import { Type } from '@sinclair/typebox';
import type { FeatureDeps, RequestContext } from '../deps.ts';
import type { StoredObject } from '../objects/table.ts';
import { DocumentNotFound } from './errors.ts';
import { toDocument } from './presenter.ts';

/** Takes a document off its topic; its bytes go afterwards. */
export async function removeDocument(
  deps: FeatureDeps,
  topicId: string,
  id: string,
  { caller, callContext: behalf, cause }: RequestContext,
) {
  const { access, objects } = deps;
  await access.requireManage(behalf, topicId, caller);
  const document = await objects.repository().findReadable(id, 'document', topicId);
  // The intent is noted first: whatever happens from here on, the reaper brings it to an end.
  if (!document || !(await objects.repository().markRemoving(id, behalf.passport ?? null)))
    throw new DocumentNotFound();
  // Of several at once, one took it off.
  if (!(await detachDocument(deps, { ...document, topicId }, behalf, cause))) throw new DocumentNotFound();
  return { id, topicId };
}

/** Has content take the entry off, and gives up the object. Again and again is as good as once; false when somebody else did. */
export async function detachDocument(
  { database, access, content, objects, publicUrl }: FeatureDeps,
  document: StoredObject & { topicId: string },
  behalf: CallContext,
  cause: Cause,
): Promise<boolean> {
  const { id, topicId } = document;
  try {
    await content.request(Type.Unknown(), behalf, { method: 'DELETE', path: topicDocumentPath(topicId, id) });
  } catch (error) {
    const { statusCode } = Object(error);
    // Refused: it stays. Not there (any more): it goes. No topic: who knows, it may come back.
    if (statusCode === 401 || statusCode === 403) await objects.repository().cancelRemoval(id);
    if (statusCode !== 404 || !(await access.canSee(behalf, topicId))) throw error;
  }
  return database.db.transaction(async (tx) => {
    if (!(await objects.repository(tx).discard(id))) return false;
    const data = { ...toDocument(publicUrl, document), topicId };
    await appendEvent(tx, documentRemoved, { aggregateId: id, data, cause });
    return true;
  });
}

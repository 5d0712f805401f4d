import { topicDocumentPath } from '@lms/contracts/internal/content';
import type { Cause } from '@lms/events/append-event';
import { statusOf } from '@lms/service/problems';
import type { CallContext } from '@lms/service/service-client';
import { Type } from '@sinclair/typebox';
import type { FeatureDeps, RequestContext } from '../deps.ts';
import type { TopicObject } from '../objects/table.ts';
import { DocumentNotFound } from './errors.ts';
import { appendDocumentRemoved } from './events.ts';
import { toDocument } from './presenter.ts';

/** Detaches a document from its topic, whatever has become of its upload; the reaper deletes its bytes. */
export async function removeDocument(
  deps: FeatureDeps,
  topicId: string,
  id: string,
  { caller, callContext, cause }: RequestContext,
) {
  const { access, content, objects } = deps;
  await access.requireManage(callContext, topicId, caller);
  const document = await objects.repository().find(id, 'document', topicId);
  if (!document) {
    // Content may show an entry whose object is lost.
    await content.request(Type.Unknown(), callContext, { method: 'DELETE', path: topicDocumentPath(topicId, id) });
    return { id, topicId };
  }
  // The status is set first: if this process fails from here on, the reaper completes the removal.
  await objects.repository().markRemoving(id);
  // Of several concurrent requests, only one detaches it.
  if (!(await detachDocument(deps, { ...document, topicId }, callContext, cause))) throw new DocumentNotFound();
  return { id, topicId };
}

/** Has content detach the document, then discards the object. Idempotent; returns false if it was already discarded. */
async function detachDocument(
  { database, access, content, objects, publicUrl }: FeatureDeps,
  document: TopicObject,
  callContext: CallContext,
  cause: Cause,
): Promise<boolean> {
  const { id, topicId } = document;
  try {
    await content.request(Type.Unknown(), callContext, { method: 'DELETE', path: topicDocumentPath(topicId, id) });
  } catch (error) {
    const status = statusOf(error);
    // Denied: the document stays. Not found: it is detached already, unless the whole topic is deleted and may be restored.
    if (status === 401 || status === 403) await objects.repository().cancelRemoval(id);
    if (status !== 404 || !(await access.canSee(callContext, topicId))) throw error;
  }
  return database.db.transaction(async (tx) => {
    if (!(await objects.repository(tx).discard(id))) return false;
    await appendDocumentRemoved(tx, topicId, toDocument(publicUrl, document), cause);
    return true;
  });
}

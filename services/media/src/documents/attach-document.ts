import { DocumentEntry, topicDocumentsPath } from '@lms/contracts/internal/content';
import type { Attached, FeatureDeps, RequestContext } from '../deps.ts';
import type { StoredObject, TopicObject } from '../objects/table.ts';
import { appendDocumentRemoved, appendDocumentUploaded } from './events.ts';
import { toDocument } from './presenter.ts';

/** Attaches a stored document to its topic. It cannot be read until content has attached it. */
export async function attachDocument(
  { content, database, objects, publicUrl }: FeatureDeps,
  topicId: string,
  offered: StoredObject,
  { callContext, cause }: Pick<RequestContext, 'callContext' | 'cause'>,
  onAttached?: Attached,
) {
  return database.db.transaction(async (tx) => {
    const document = toDocument(publicUrl, offered);
    const attach = { method: 'POST', path: topicDocumentsPath(topicId), body: document } as const;
    await content.request(DocumentEntry, callContext, attach);
    await objects.repository(tx).finalize(document.id);
    await appendDocumentUploaded(tx, topicId, document, cause);
    await onAttached?.(tx, document);
    return document;
  });
}

/**
 * Withdraws a document after an interrupted upload or removal: content removes the entry, if there is one, when it receives
 * the event. The user may have lost the right to request that, or have left.
 */
export const withdrawDocument = (
  { database, objects, publicUrl }: Pick<FeatureDeps, 'database' | 'objects' | 'publicUrl'>,
  document: TopicObject,
) =>
  database.db.transaction(async (tx) => {
    if (!(await objects.repository(tx).discard(document.id))) return;
    await appendDocumentRemoved(tx, document.topicId, toDocument(publicUrl, document), {});
  });

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
 * Withdraws a document that content may have attached: content removes the entry when it receives the event. The uploader
 * may have lost the right to ask for that.
 */
export const rollBackDocument = (
  { database, objects, publicUrl }: Pick<FeatureDeps, 'database' | 'objects' | 'publicUrl'>,
  document: TopicObject,
) =>
  database.db.transaction(async (tx) => {
    if (!(await objects.repository(tx).discard(document.id))) return;
    await appendDocumentRemoved(tx, document.topicId, toDocument(publicUrl, document), {});
  });

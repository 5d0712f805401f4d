import { isId } from '@lms/contracts/ids';
import { DocumentEntry, topicDocumentsPath } from '@lms/contracts/internal/content';
import { maxLengths } from '@lms/contracts/text';
import { invalid } from '@lms/service/problems';
import type { FeatureDeps, UploadRequest } from '../deps.ts';
import type { TopicObject } from '../objects/table.ts';
import { TopicNotFound } from './errors.ts';
import { appendDocumentRemoved, appendDocumentUploaded } from './events.ts';
import { parseMetadata } from './metadata.ts';
import { toDocument } from './presenter.ts';

/** Stores a document and attaches it to its topic. It cannot be read until content has attached it. */
export async function uploadDocument(deps: FeatureDeps, request: UploadRequest) {
  const { access, content, database, objects, publicUrl, maxDocumentBytes } = deps;
  const { caller, callContext, cause } = request;

  const upload = await objects.uploads.start(request.raw, caller.userId, maxDocumentBytes);
  try {
    const { file, texts } = await objects.receiveForm(upload, request.parts(), {
      kind: 'document',
      fileField: 'file',
      textFields: ['topicId', 'metadata'],
      // Texts that precede the file are checked before its bytes are stored.
      async checkText(name, value) {
        if (name === 'metadata') parseMetadata(value);
        else await access.requireManage(callContext, parseTopicId(value), caller);
      },
    });
    const topicId = parseTopicId(texts.get('topicId') ?? '');
    const { name = nameOf(file.fileName), description = '' } = parseMetadata(texts.get('metadata') ?? '');
    const offered = await upload.markOffered(file, { topicId, name, description });

    return await database.db.transaction(async (tx) => {
      const document = toDocument(publicUrl, offered);
      const attach = { method: 'POST', path: topicDocumentsPath(topicId), body: document } as const;
      await content.request(DocumentEntry, callContext, attach);
      await objects.repository(tx).finalize(document.id);
      await appendDocumentUploaded(tx, topicId, document, cause);
      return document;
    });
  } catch (error) {
    throw await upload.rollBack(error);
  } finally {
    upload.end();
  }
}

const nameOf = (fileName: string) => fileName.slice(0, maxLengths.name).toWellFormed().trim();

function parseTopicId(text: string): string {
  const topicId = text.trim();
  if (topicId === '') throw invalid({ field: 'topicId', message: 'is required', value: text });
  if (!isId(topicId)) throw new TopicNotFound();
  return topicId;
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

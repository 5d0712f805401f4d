import { documentUploaded } from '@lms/contracts/events/media';
import { isId } from '@lms/contracts/ids';
import { DocumentEntry, topicDocumentsPath } from '@lms/contracts/internal/content';
import { maxLengths } from '@lms/contracts/text';
import { appendEvent } from '@lms/events/append-event';
import { invalid } from '@lms/service/problems';
import type { FeatureDeps, UploadRequest } from '../deps.ts';
import { TopicNotFound } from './errors.ts';
import { readMetadata } from './metadata.ts';
import { toDocument } from './presenter.ts';

/** Stores a document and puts it among its topic's; until content has taken it, nobody can read it. */
export async function uploadDocument(
  deps: FeatureDeps,
  { parts, caller, callContext: behalf, cause, upload }: UploadRequest,
) {
  const { access, content, objects, publicUrl, maxDocumentBytes } = deps;

  // What comes before the file is looked at before the file is taken in.
  const onText = async (name: string, value: string) => {
    if (name === 'metadata') readMetadata(value);
    else await access.requireManage(behalf, readTopicId(value), caller);
  };
  const { object, texts } = await objects.receiveForm({
    parts,
    kind: 'document',
    file: 'file',
    texts: ['topicId', 'metadata'],
    onText,
    maxBytes: maxDocumentBytes,
    uploadedBy: caller.userId,
    upload,
  });

  const topicId = readTopicId(texts.get('topicId') ?? '');
  const { name = nameOf(object.fileName), description = '' } = readMetadata(texts.get('metadata') ?? '');
  const offer = { object, topicId, name, description, passport: behalf.passport, upload };
  return objects.handOver(offer, async (tx, offered) => {
    const entry = toDocument(publicUrl, offered);
    await content.request(DocumentEntry, behalf, { method: 'POST', path: topicDocumentsPath(topicId), body: entry });
    await objects.repository(tx).finalize(offered.id);
    await appendEvent(tx, documentUploaded, { aggregateId: entry.id, data: { ...entry, topicId }, cause });
    return entry;
  });
}

const nameOf = (fileName: string) => fileName.slice(0, maxLengths.name).toWellFormed().trim();

function readTopicId(given: string): string {
  const topicId = given.trim();
  if (topicId === '') throw invalid({ field: 'topicId', message: 'is required', value: given });
  if (!isId(topicId)) throw new TopicNotFound();
  return topicId;
}

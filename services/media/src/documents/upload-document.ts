import type { FeatureDeps, UploadRequest } from '../deps.ts';
import { attachDocument } from './attach-document.ts';
import { nameOf, parseMetadata, parseTopicId } from './metadata.ts';

/** Stores a document and attaches it to its topic. It cannot be read until content has attached it. */
export async function uploadDocument(deps: FeatureDeps, request: UploadRequest) {
  const { access, objects, maxDocumentBytes } = deps;
  const { caller, callContext } = request;

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
    return await upload.attach(() => attachDocument(deps, topicId, offered, request));
  } catch (error) {
    throw await upload.rollBack(error);
  } finally {
    upload.end();
  }
}

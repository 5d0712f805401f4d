import type { FeatureDeps, UploadTarget } from '../deps.ts';
import { attachDocument } from './attach-document.ts';
import { checkMetadata, nameOf, parseTopicId } from './metadata.ts';

/** What resumable uploads of documents do differently. */
export const documentTarget = (deps: FeatureDeps): UploadTarget => ({
  file: { kind: 'document' },
  maxBytes: deps.maxDocumentBytes,
  statusCode: 201,
  describe(metadata, fileName) {
    const topicId = parseTopicId(metadata.get('topicId') ?? '');
    const given = Object.fromEntries([...metadata].filter(([name]) => name === 'name' || name === 'description'));
    const { name = nameOf(fileName), description = '' } = checkMetadata(given);
    return { topicId, name, description };
  },
  attach: (topicId, offered, context, onAttached) => attachDocument(deps, topicId, offered, context, onAttached),
});

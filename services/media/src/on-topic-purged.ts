import { topicEvents } from '@lms/contracts/events/content';
import { on } from '@lms/events/event-handler';
import { appendDocumentRemoved } from './documents/events.ts';
import { toDocument } from './documents/presenter.ts';
import { objectRepository } from './objects/repository.ts';
import { uploadRepository } from './objects/resumable-uploads/repository.ts';
import { appendVideoRemoved } from './videos/events.ts';

/** Discards all objects and unfinished uploads of a purged topic. */
export const onTopicPurged = ({ publicUrl }: { publicUrl: string }) =>
  on(topicEvents.purged, async (tx, { data: { id: topicId }, actorId, requestId }) => {
    const cause = { actorId, requestId };
    await uploadRepository(tx).terminateByTopic(topicId);
    for (const object of await objectRepository(tx).discardByTopic(topicId)) {
      if (object.kind === 'video') await appendVideoRemoved(tx, topicId, object, null, cause);
      else await appendDocumentRemoved(tx, topicId, toDocument(publicUrl, object), cause);
    }
  });

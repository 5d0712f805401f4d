import { topicEvents } from '@lms/contracts/events/content';
import { documentRemoved, videoRemoved } from '@lms/contracts/events/media';
import { appendEvent } from '@lms/events/append-event';
import { on } from '@lms/events/consume';
import { toDocument } from './documents/presenter.ts';
import { objectRepository } from './objects/repository.ts';
import { toVideo } from './videos/presenter.ts';

/** What media does about the topics of content. */
export const onTopicPurged = ({ publicUrl }: { publicUrl: string }) => [
  on(topicEvents.purged, async (tx, { data: { id: topicId }, actorId, requestId }) => {
    const cause = { actorId, requestId };
    for (const object of await objectRepository(tx).discardByTopic(topicId)) {
      const aggregateId = object.id;
      if (object.kind === 'video')
        await appendEvent(tx, videoRemoved, { aggregateId, data: { ...toVideo(object), topicId }, cause });
      else
        await appendEvent(tx, documentRemoved, {
          aggregateId,
          data: { ...toDocument(publicUrl, object), topicId },
          cause,
        });
    }
  }),
];

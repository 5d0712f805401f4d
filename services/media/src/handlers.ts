import { topicEvents } from '@lms/contracts/events/content';
import { documentRemoved, videoRemoved } from '@lms/contracts/events/media';
import { appendEvent } from '@lms/events/append-event';
import { on } from '@lms/events/consume';
import { toEntry } from './documents/entry.ts';
import { objects } from './objects/repository.ts';
import { toVideo } from './videos/wire.ts';

/** What media does about the topics of content. */
export const handlers = ({ publicUrl }: { publicUrl: string }) => [
  on(topicEvents.purged, async (tx, { data: { id: topicId }, actorId, requestId }) => {
    const cause = { actorId, requestId };
    for (const object of await objects(tx).discardOfTopic(topicId)) {
      const aggregateId = object.id;
      if (object.kind === 'video')
        await appendEvent(tx, videoRemoved, { aggregateId, data: { ...toVideo(object), topicId }, cause });
      else
        await appendEvent(tx, documentRemoved, {
          aggregateId,
          data: { ...toEntry(publicUrl, object), topicId },
          cause,
        });
    }
  }),
];

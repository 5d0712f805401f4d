import type { EventDefinition } from '@lms/contracts/events/definition';
import {
  captionRemoved,
  captionUploaded,
  documentRemoved,
  videoFailed,
  videoProcessed,
  videoProgressed,
  videoRemoved,
} from '@lms/contracts/events/media';
import type { TopicVideoChange } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { type ConsumedEvent, type EventHandler, on, onMany } from '@lms/events/event-handler';
import type { TSchema } from '@sinclair/typebox';
import { appendNodeEvents } from './events.ts';
import { type Node, nodes } from './repository.ts';
import { toChangedVideo } from './video-state.ts';

type Media = Pick<Node, 'video' | 'documents'>;

/** Handles the events of a batch in turn: several can concern one topic, and each has to read what the others have changed. */
const inTurn = <T extends TSchema>(
  definition: EventDefinition<T>,
  handle: (tx: Db, event: ConsumedEvent<T>) => Promise<unknown>,
) =>
  onMany([definition], async (tx, events) => {
    for (const event of events) await handle(tx, event);
  });

/**
 * What media has removed disappears from its topic. Media detaches it itself before a removal that a user requests; it
 * only publishes the removal of an object that this service may have attached although media never saw the response.
 */
export const removalHandlers: EventHandler[] = [
  ...inTurn(documentRemoved, (tx, { data: { id, topicId }, actorId, requestId }) =>
    correctTopic(tx, topicId, { actorId, requestId }, ({ documents }) =>
      documents.some((entry) => entry.id === id)
        ? { documents: documents.filter((entry) => entry.id !== id) }
        : undefined,
    ),
  ),
  ...inTurn(videoRemoved, (tx, { data: { id, topicId, current = null }, actorId, requestId }) =>
    correctTopic(tx, topicId, { actorId, requestId }, ({ video }) =>
      video?.video.id === id ? { video: current } : undefined,
    ),
  ),
];

/** What media finds out about a video, and its captions, appear in its topic. */
export const videoStateHandlers: EventHandler[] = [
  ...[videoProgressed, videoProcessed, videoFailed].map((definition) =>
    on(definition, (tx, { data: { topicId, ...video }, version, actorId, requestId }) =>
      changeVideo(tx, topicId, { actorId, requestId }, { video, version }),
    ),
  ),
  ...[captionUploaded, captionRemoved].map((definition) =>
    on(definition, (tx, { data: { topicId, video }, version, actorId, requestId }) =>
      changeVideo(tx, topicId, { actorId, requestId }, { video, version }),
    ),
  ),
];

const changeVideo = (tx: Db, topicId: string, cause: Cause, change: TopicVideoChange) =>
  correctTopic(tx, topicId, cause, ({ video }) => {
    const changed = toChangedVideo(video, change);
    return changed && { video: changed };
  });

/** @param correct returns undefined if the topic is correct, as it nearly always is */
async function correctTopic(
  tx: Db,
  topicId: string,
  cause: Cause,
  correct: (topic: Media) => Partial<Media> | undefined,
) {
  const repository = nodes(tx);
  const shown = await repository.findWithDeleted('topic', topicId);
  if (!shown || !correct(shown)) return;
  await repository.lockStructureShared();
  await repository.lock(topicId);
  const before = await repository.findWithDeleted('topic', topicId);
  const corrected = before && correct(before);
  if (!corrected) return;
  const after = await repository.update(topicId, corrected);
  // The event of a restore contains the state of a deleted topic.
  if (before.deletedAt === null) await appendNodeEvents(tx, 'updated', [{ before, after }], cause);
}

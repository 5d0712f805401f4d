import { TopicVideoResponse, topicVideoPath } from '@lms/contracts/internal/content';
import type { Attached, FeatureDeps, RequestContext } from '../deps.ts';
import type { StoredObject, TopicObject } from '../objects/table.ts';
import { appendVideoRemoved, appendVideoUploaded } from './events.ts';
import { toTopicVideo } from './presenter.ts';

/** Attaches a stored video to its topic; the previous video is discarded. */
export async function attachVideo(
  { content, database, objects, publicUrl, readVideo, requestProcessing }: FeatureDeps,
  topicId: string,
  offered: StoredObject,
  { callContext, cause }: Pick<RequestContext, 'callContext' | 'cause'>,
  onAttached?: Attached,
) {
  return database.db.transaction(async (tx) => {
    const repository = objects.repository(tx);
    // Serializes changes of a topic's video: content and media must agree on the last one.
    await repository.lockTopic(topicId);
    const previous = await repository.findVideo(topicId);
    const video = { ...offered, uploadedAt: laterThan(previous, offered.uploadedAt) };

    const body = toTopicVideo(publicUrl, topicId, await readVideo(tx, video));
    const attach = { method: 'PUT', path: topicVideoPath(topicId), body } as const;
    await content.request(TopicVideoResponse.properties.data, callContext, attach);

    if (previous) {
      await repository.discard(previous.id);
      await appendVideoRemoved(tx, topicId, previous, body, cause);
    }
    await repository.finalize(video.id, { uploadedAt: video.uploadedAt });
    await requestProcessing(tx, video.id);
    await appendVideoUploaded(tx, topicId, video, cause);
    const replaced = { topicId, ...body };
    await onAttached?.(tx, replaced);
    return replaced;
  });
}

// HTTP dates have a resolution of one second: if two videos of a topic shared one, a resumed download could mix them.
function laterThan(previous: StoredObject | undefined, uploadedAt: Date): Date {
  const nextSecond = previous ? Math.floor(previous.uploadedAt.getTime() / 1_000) * 1_000 + 1_000 : 0;
  return new Date(Math.max(uploadedAt.getTime(), nextSecond));
}

/**
 * Withdraws a video after an interrupted upload or removal: content returns to the current one when it receives the event. The
 * user may have lost the right to request that, or have left.
 */
export const withdrawVideo = (
  { database, objects, publicUrl, readVideo }: Pick<FeatureDeps, 'database' | 'objects' | 'publicUrl' | 'readVideo'>,
  video: TopicObject,
) =>
  database.db.transaction(async (tx) => {
    const { id, topicId } = video;
    const repository = objects.repository(tx);
    await repository.lockTopic(topicId);
    if (!(await repository.discard(id))) return;
    const current = await repository.findVideo(topicId);
    const shown = current ? toTopicVideo(publicUrl, topicId, await readVideo(tx, current)) : null;
    await appendVideoRemoved(tx, topicId, video, shown, {});
  });

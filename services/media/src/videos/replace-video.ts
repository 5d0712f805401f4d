import { videoRemoved, videoUploaded } from '@lms/contracts/events/media';
import { TopicVideoResponse, topicVideoPath } from '@lms/contracts/internal/content';
import { appendEvent } from '@lms/events/append-event';
import type { FeatureDeps, UploadRequest } from '../deps.ts';
import type { StoredObject } from '../objects/table.ts';
import { checkFormat, mimeTypeOfExtension } from './formats.ts';
import { toTopicVideo, toVideo } from './presenter.ts';

/** Stores a video and makes it its topic's; the one before goes afterwards. */
export async function replaceVideo(
  deps: FeatureDeps,
  topicId: string,
  { parts, caller, callContext: behalf, cause, upload }: UploadRequest,
) {
  const { access, content, objects, publicUrl, maxVideoBytes } = deps;
  await access.requireManage(behalf, topicId, caller);
  const { object } = await objects.receiveForm({
    parts,
    kind: 'video',
    file: 'video',
    checkExtension: mimeTypeOfExtension,
    decideType: checkFormat,
    maxBytes: maxVideoBytes,
    uploadedBy: caller.userId,
    upload,
  });

  return objects.handOver({ object, topicId, passport: behalf.passport, upload }, async (tx, offered) => {
    // One change of a topic's video at a time: content and we must agree on which came last.
    await objects.repository(tx).lockTopic(topicId);
    const previous = await objects.repository(tx).findVideo(topicId);
    const current = { ...offered, uploadedAt: laterThan(previous, offered.uploadedAt) };
    const { video, videoUrl } = toTopicVideo(publicUrl, topicId, current);
    const question = { method: 'PUT', path: topicVideoPath(topicId), body: { video, videoUrl } } as const;
    await content.request(TopicVideoResponse.properties.data, behalf, question);
    if (previous) {
      await objects.repository(tx).discard(previous.id);
      const data = { ...toVideo(previous), topicId };
      await appendEvent(tx, videoRemoved, { aggregateId: previous.id, data, cause });
    }
    await objects.repository(tx).finalize(current.id, { uploadedAt: current.uploadedAt });
    await appendEvent(tx, videoUploaded, { aggregateId: current.id, data: { ...video, topicId }, cause });
    return { topicId, videoUrl, video };
  });
}

// HTTP dates know whole seconds only: two videos of a topic must never share one, or a resumed download could mix them.
function laterThan(previous: StoredObject | undefined, uploadedAt: Date): Date {
  const nextSecond = previous ? Math.floor(previous.uploadedAt.getTime() / 1_000) * 1_000 + 1_000 : 0;
  return new Date(Math.max(uploadedAt.getTime(), nextSecond));
}

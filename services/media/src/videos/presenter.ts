import type { TopicVideo, Video } from '@lms/contracts/internal/content';
import type { StoredObject } from '../objects/table.ts';

/** A video as it travels. */
export const toVideo = ({ id, fileName, mimeType, size, checksum, uploadedAt }: StoredObject): Video => ({
  id,
  fileName,
  mimeType,
  size,
  checksum,
  uploadedAt: uploadedAt.toISOString(),
});

export const videoPath = (topicId: string) => `/api/education/topics/${topicId}/video`;

/** A topic's video with the address that plays it, as content keeps it. */
export const toTopicVideo = (publicUrl: string, topicId: string, object: StoredObject): TopicVideo => ({
  video: toVideo(object),
  videoUrl: new URL(videoPath(topicId), publicUrl).href,
});

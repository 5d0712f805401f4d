import type { Video, VideoWithState } from '@lms/contracts/internal/content';
import { publicAddress } from '@lms/contracts/wire';
import type { StoredObject } from '../objects/table.ts';

export const toVideo = ({ id, fileName, mimeType, size, checksum, uploadedAt }: StoredObject): Video => ({
  id,
  fileName,
  mimeType,
  size,
  checksum,
  uploadedAt: uploadedAt.toISOString(),
});

export const videoPath = (topicId: string) => `/api/education/topics/${topicId}/video`;

/** A video and its URL, as content stores them with the topic. */
export const toTopicVideo = (publicUrl: string, topicId: string, video: VideoWithState) => ({
  video,
  videoUrl: publicAddress(publicUrl, videoPath(topicId)),
});

import {
  initialVideoState,
  type TopicVideo,
  type TopicVideoChange,
  type VideoWithState,
} from '@lms/contracts/internal/content';

/**
 * The stored video after a change of its state; undefined if another video replaced it, or if the stored state is newer:
 * states arrive with requests and with events, in any order.
 */
export function toChangedVideo(stored: TopicVideo | null, change: TopicVideoChange): TopicVideo | undefined {
  if (stored?.video.id !== change.video.id || (stored.version ?? 0) >= change.version) return undefined;
  return { ...stored, video: change.video, version: change.version };
}

/** Videos that were stored before they had a state get the initial one. */
export const toVideo = ({ video }: TopicVideo): VideoWithState => ({ ...initialVideoState, ...video });

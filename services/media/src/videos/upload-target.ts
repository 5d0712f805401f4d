import type { FeatureDeps, UploadTarget } from '../deps.ts';
import { attachVideo } from './attach-video.ts';
import { videoForm } from './formats.ts';

/** What resumable uploads of videos do differently. */
export const videoTarget = (deps: FeatureDeps): UploadTarget => ({
  file: videoForm,
  maxBytes: deps.maxVideoBytes,
  statusCode: 200,
  describe: () => ({}),
  attach: (topicId, offered, context, onAttached) => attachVideo(deps, topicId, offered, context, onAttached),
});

import type { VideoWithState } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import { toTrack } from './captions/presenter.ts';
import { captionRepository } from './captions/repository.ts';
import type { StoredObject } from './objects/table.ts';
import { renditionRepository } from './renditions/repository.ts';
import { toVideo } from './videos/presenter.ts';

/** The full state of a video, as topics show it and events contain it. */
export async function readVideo(db: Db, video: StoredObject): Promise<VideoWithState> {
  const processing = await renditionRepository(db).findProcessing(video.id);
  const { durationSeconds = null, width = null, height = null, hasAudio = null, status = 'none' } = processing ?? {};
  const renditions = status === 'ready' ? await renditionRepository(db).listRenditions(video.id) : [];
  const captions = await captionRepository(db).list(video.id);
  return {
    ...{ ...toVideo(video), durationSeconds, width, height, hasAudio, status },
    renditions: renditions.map(({ height, bandwidth }) => ({ height, bandwidth })),
    captions: captions.map(toTrack),
  };
}

import type { PersonalData } from '@lms/contracts/internal/export';
import { toTrack } from './captions/presenter.ts';
import { captionRepository } from './captions/repository.ts';
import type { FeatureDeps } from './deps.ts';
import { toDocument } from './documents/presenter.ts';
import { uploadRepository } from './objects/resumable-uploads/repository.ts';
import type { Kind } from './objects/table.ts';
import { toVideo } from './videos/presenter.ts';

/** Everything a user uploaded that still exists, and what is unfinished. */
export async function getPersonalData(
  { database, objects, publicUrl }: FeatureDeps,
  userId: string,
): Promise<PersonalData> {
  const uploaded = await objects.repository().listUploadedBy(userId);
  const ofKind = (kind: Kind) => uploaded.filter((object) => object.kind === kind);
  const documents = ofKind('document').map((object) => ({ ...toDocument(publicUrl, object), topicId: object.topicId }));
  const videos = ofKind('video').map((object) => ({ ...toVideo(object), topicId: object.topicId }));
  const captions = (await captionRepository(database.db).listUploadedBy(userId)).map((caption) => ({
    videoId: caption.videoId,
    ...toTrack(caption),
    uploadedAt: caption.uploadedAt.toISOString(),
  }));
  const unfinished = (await uploadRepository(database.db).listUnfinished(userId)).map(
    ({ id, kind, topicId, fileName, name, description, length, received, createdAt }) => ({
      ...{ id, kind, topicId, fileName, name, description, length, offset: received },
      createdAt: createdAt.toISOString(),
    }),
  );
  return {
    ...(documents.length > 0 && { documents }),
    ...(videos.length > 0 && { videos }),
    ...(captions.length > 0 && { captions }),
    ...(unfinished.length > 0 && { unfinishedUploads: unfinished }),
  };
}

import type { PersonalData } from '@lms/contracts/internal/export';
import type { FeatureDeps } from './deps.ts';
import { toDocument } from './documents/presenter.ts';
import { toVideo } from './videos/presenter.ts';

/** Everything that somebody uploaded and that is still there. */
export async function getPersonalData({ objects, publicUrl }: FeatureDeps, userId: string): Promise<PersonalData> {
  const uploaded = await objects.repository().listUploadedBy(userId);
  const of = (kind: string) => uploaded.filter((object) => object.kind === kind);
  const documents = of('document').map((object) => ({ ...toDocument(publicUrl, object), topicId: object.topicId }));
  const videos = of('video').map((object) => ({ ...toVideo(object), topicId: object.topicId }));
  return { ...(documents.length > 0 && { documents }), ...(videos.length > 0 && { videos }) };
}

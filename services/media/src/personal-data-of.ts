import type { PersonalData } from '@lms/contracts/internal/export';
import type { RoomDeps } from './deps.ts';
import { toEntry } from './documents/entry.ts';
import { toVideo } from './videos/wire.ts';

/** Everything that somebody uploaded and that is still there. */
export async function personalDataOf({ objects, publicUrl }: RoomDeps, userId: string): Promise<PersonalData> {
  const uploaded = await objects.in().listUploadedBy(userId);
  const of = (kind: string) => uploaded.filter((object) => object.kind === kind);
  const documents = of('document').map((object) => ({ ...toEntry(publicUrl, object), topicId: object.topicId }));
  const videos = of('video').map((object) => ({ ...toVideo(object), topicId: object.topicId }));
  return { ...(documents.length > 0 && { documents }), ...(videos.length > 0 && { videos }) };
}

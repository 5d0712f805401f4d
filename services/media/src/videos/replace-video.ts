import type { FeatureDeps, UploadRequest } from '../deps.ts';
import { attachVideo } from './attach-video.ts';
import { videoForm } from './formats.ts';

/** Stores a video and attaches it to its topic; the previous video is discarded. */
export async function replaceVideo(deps: FeatureDeps, topicId: string, request: UploadRequest) {
  const { access, objects, maxVideoBytes } = deps;
  const { caller, callContext } = request;

  const upload = await objects.uploads.start(request.raw, caller.userId, maxVideoBytes);
  try {
    await access.requireManage(callContext, topicId, caller);
    const { file } = await objects.receiveForm(upload, request.parts(), videoForm);
    const offered = await upload.markOffered(file, { topicId });
    return await upload.attach(() => attachVideo(deps, topicId, offered, request));
  } catch (error) {
    throw await upload.rollBack(error);
  } finally {
    upload.end();
  }
}

import type { FeatureDeps, RequestContext } from '../deps.ts';
import { CaptionsNotFound } from './errors.ts';
import { appendCaptionRemoved } from './events.ts';
import { canonicalLanguage } from './language.ts';
import { captionRepository } from './repository.ts';
import { showVideo } from './show-video.ts';

/** Removes a caption track of the current video of a topic. */
export async function removeCaptions(
  deps: FeatureDeps,
  topicId: string,
  tag: string,
  { caller, callContext, cause }: RequestContext,
) {
  const { access, database, objects, readVideo } = deps;
  await access.requireManage(callContext, topicId, caller);
  const language = canonicalLanguage(tag);
  if (language === undefined) throw new CaptionsNotFound();
  const change = await database.db.transaction(async (tx) => {
    await objects.repository(tx).lockTopic(topicId);
    const found = await objects.repository(tx).findVideo(topicId);
    const caption = found && (await captionRepository(tx).remove(found.id, language));
    if (!caption) throw new CaptionsNotFound();
    const video = await readVideo(tx, found);
    return { video, version: await appendCaptionRemoved(tx, { topicId, caption, video }, cause) };
  });
  await showVideo(deps, topicId, change, callContext);
  return { topicId, language };
}

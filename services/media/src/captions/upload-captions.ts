import { createHash } from 'node:crypto';
import { captionKinds } from '@lms/contracts/internal/content';
import { maxLengths, Name, OneOf } from '@lms/contracts/text';
import { normalizeStrings } from '@lms/service/normalize-text';
import { invalid, PayloadTooLarge } from '@lms/service/problems';
import { createCheck } from '@lms/service/validation';
import { type Static, Type } from '@sinclair/typebox';
import type { FeatureDeps, UploadRequest } from '../deps.ts';
import { TooManyTracks, VideoNotFound } from './errors.ts';
import { appendCaptionUploaded } from './events.ts';
import { canonicalLanguage, nameOfLanguage } from './language.ts';
import { toUploadedTrack } from './presenter.ts';
import { captionRepository } from './repository.ts';
import { showVideo } from './show-video.ts';
import type { CaptionWithoutText } from './table.ts';
import { toWebVtt } from './to-web-vtt.ts';

export const maxCaptionBytes = 2 * 1_024 * 1_024;
// As WebVTT a file can grow: by hours in its times, and by escapes.
const maxStoredBytes = 2 * maxCaptionBytes;
export const maxTracks = 50;

const Fields = Type.Object({
  label: Type.Optional(Name()),
  kind: Type.Optional(OneOf(captionKinds)),
  default: Type.Optional(OneOf(['true', 'false'])),
});
const fields = createCheck(Fields);

/** Adds or replaces a caption track of the current video of a topic. */
export async function uploadCaptions(deps: FeatureDeps, topicId: string, tag: string, request: UploadRequest) {
  const { access, database, objects, publicUrl, readVideo } = deps;
  const { caller, callContext, cause } = request;
  const upload = await objects.uploads.start(request.raw, caller.userId, maxCaptionBytes);
  try {
    await access.requireManage(callContext, topicId, caller);
    const language = canonicalLanguage(tag);
    if (language === undefined)
      throw invalid({ field: 'language', message: 'must be a BCP 47 language tag', value: tag });
    if (!(await objects.repository().findVideo(topicId))) throw new VideoNotFound();
    const { bytes, texts } = await objects.receiveSmallForm(upload, request.parts(), {
      fileField: 'captions',
      textFields: Object.keys(Fields.properties),
    });
    const { label = nameOfLanguage(language).slice(0, maxLengths.name), ...fields } = parseFields(texts);
    const content = toWebVtt(bytes);
    if (Buffer.byteLength(content) > maxStoredBytes)
      throw new PayloadTooLarge({ details: { maxBytes: maxCaptionBytes } });
    // The right to manage the topic may have ended during the upload.
    await access.requireManage(callContext, topicId, caller);

    const { caption, change } = await database.db.transaction(async (tx) => {
      await objects.repository(tx).lockTopic(topicId);
      const video = await objects.repository(tx).findVideo(topicId);
      if (!video) throw new VideoNotFound();
      if ((await captionRepository(tx).countOthers(video.id, language)) >= maxTracks)
        throw new TooManyTracks({ details: { resource: 'captions', field: 'language', value: language } });
      const caption = {
        ...{
          videoId: video.id,
          language,
          label,
          kind: fields.kind ?? 'captions',
          isDefault: fields.default === 'true',
        },
        ...{ content, checksum: createHash('sha256').update(content).digest('hex') },
        ...{ uploadedBy: caller.userId, uploadedAt: new Date() },
      };
      const stored = await captionRepository(tx).find(video.id, language);
      if (stored && isSameTrack(stored, caption)) return { caption: stored, change: undefined };
      await captionRepository(tx).save(caption);
      const changed = { topicId, caption, video: await readVideo(tx, video) };
      const version = await appendCaptionUploaded(tx, changed, cause);
      return { caption, change: { video: changed.video, version } };
    });
    if (change) await showVideo(deps, topicId, change, callContext);
    return toUploadedTrack(publicUrl, topicId, caption);
  } catch (error) {
    throw await upload.rollBack(error);
  } finally {
    upload.end();
  }
}

const isSameTrack = (one: CaptionWithoutText, other: CaptionWithoutText) =>
  one.checksum === other.checksum &&
  one.label === other.label &&
  one.kind === other.kind &&
  one.isDefault === other.isDefault;

function parseFields(texts: Map<string, string>): Static<typeof Fields> {
  const { value, issues } = normalizeStrings(Object.fromEntries(texts), 1);
  const [first, ...rest] = [...issues, ...fields.issuesOf(value)];
  if (first || !fields.isValid(value)) throw invalid(first ?? { field: 'body', message: 'is not valid' }, ...rest);
  return value;
}

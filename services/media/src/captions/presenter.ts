import type { CaptionTrack } from '@lms/contracts/internal/content';
import { publicAddress } from '@lms/contracts/wire';
import type { CaptionWithoutText } from './table.ts';

export const toTrack = ({ language, label, kind, isDefault }: CaptionWithoutText): CaptionTrack => ({
  language,
  label,
  kind,
  default: isDefault,
});

const captionsPath = (topicId: string, language: string) =>
  `/api/education/topics/${topicId}/video/captions/${language}`;

/** A track as its upload returns it. */
export const toUploadedTrack = (publicUrl: string, topicId: string, caption: CaptionWithoutText) => ({
  topicId,
  ...toTrack(caption),
  url: publicAddress(publicUrl, captionsPath(topicId, caption.language)),
  checksum: caption.checksum,
  uploadedAt: caption.uploadedAt.toISOString(),
});

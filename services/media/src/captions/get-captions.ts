import type { FeatureDeps } from '../deps.ts';
import { CaptionsNotFound } from './errors.ts';
import { canonicalLanguage } from './language.ts';
import { captionRepository } from './repository.ts';

/** The WebVTT of a track, with the headers of its response. @throws 404 */
export async function getCaptions({ database }: Pick<FeatureDeps, 'database'>, videoId: string, tag: string) {
  const language = canonicalLanguage(tag);
  const caption = language && (await captionRepository(database.db).find(videoId, language));
  if (!caption) throw new CaptionsNotFound();
  const headers = {
    'content-type': 'text/vtt; charset=utf-8',
    etag: `"${caption.checksum}"`,
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
  };
  return { headers, content: caption.content };
}

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Id } from '@lms/contracts/ids';
import { Nullable } from '@lms/contracts/text';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** What a playback URL stands for. */
export const Playback = Type.Object({
  topicId: Id,
  videoId: Id,
  userId: Id,
  /** On whose behalf content is asked again at each request. */
  passport: Nullable(Type.String()),
  /** Milliseconds since 1970. */
  expiresAt: Type.Integer(),
});
export type Playback = Static<typeof Playback>;

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Seals what a playback URL stands for, so that a client can neither change it nor read the passport in it. */
export function createPlaybackTokens(secret: string) {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'lms playback', 32));

  return {
    seal(playback: Playback): string {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv);
      const sealed = Buffer.concat([cipher.update(JSON.stringify(playback)), cipher.final()]);
      return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url');
    },

    /** Undefined for everything that was not sealed here, was changed, or has expired. */
    open(token: string, now = Date.now()): Playback | undefined {
      const bytes = Buffer.from(token, 'base64url');
      // Base64url has spellings that decode alike; only the one that was handed out is taken.
      const playback = bytes.toString('base64url') === token ? unseal(bytes) : undefined;
      return Value.Check(Playback, playback) && playback.expiresAt > now ? playback : undefined;
    },
  };

  function unseal(bytes: Buffer): unknown {
    if (bytes.length <= ivBytes + tagBytes) return undefined;
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    try {
      const text = Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]);
      return JSON.parse(text.toString());
    } catch {
      return undefined;
    }
  }
}
export type PlaybackTokens = ReturnType<typeof createPlaybackTokens>;

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Id } from '@lms/contracts/ids';
import { Nullable } from '@lms/contracts/text';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

/** The content of a playback token. */
export const Playback = Type.Object({
  topicId: Id,
  videoId: Id,
  userId: Id,
  /** The passport with which content checks access for each request. */
  passport: Nullable(Type.String()),
  /** Unix time in milliseconds. */
  expiresAt: Type.Integer(),
});
export type Playback = Static<typeof Playback>;

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts and authenticates playback tokens: clients can neither change one nor read the passport in it. */
export function createPlaybackTokens(secret: string) {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'lms playback', 32));

  return {
    seal(playback: Playback): string {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv);
      const encrypted = Buffer.concat([cipher.update(JSON.stringify(playback)), cipher.final()]);
      return Buffer.concat([iv, encrypted, cipher.getAuthTag()]).toString('base64url');
    },

    /** The content of a token that may have expired. Returns undefined if it is invalid. */
    read,
  };

  function read(token: string): Playback | undefined {
    const bytes = Buffer.from(token, 'base64url');
    // Several base64url strings decode to the same bytes; only the canonical one is valid.
    const playback = bytes.toString('base64url') === token ? decrypt(bytes) : undefined;
    return Value.Check(Playback, playback) ? playback : undefined;
  }

  function decrypt(bytes: Buffer): unknown {
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

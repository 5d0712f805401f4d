import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const lifetimeMs = 900_000;

/** Signs addresses of downloads, which work without signing in until they expire. */
export function createDownloadTokens(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'lms export downloads', 32));
  const sign = (exportId: string, expiresAt: number) =>
    createHmac('sha256', key).update(`${exportId} ${expiresAt}`).digest('base64url');

  return {
    /** @param availableUntil when the file is removed */
    create(exportId: string, availableUntil: Date, now = Date.now()) {
      const expiresAt = Math.min(now + lifetimeMs, availableUntil.getTime());
      return { token: `${expiresAt}.${sign(exportId, expiresAt)}`, expiresAt: new Date(expiresAt) };
    },

    isValid(exportId: string, token: string, now = Date.now()): boolean {
      const [, time = '', signature = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(token) ?? [];
      const expected = Buffer.from(sign(exportId, Number(time)));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected) && Number(time) > now;
    },
  };
}
export type DownloadTokens = ReturnType<typeof createDownloadTokens>;

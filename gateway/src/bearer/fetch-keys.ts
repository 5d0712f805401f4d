import type { CryptoKey } from 'jose';
import { request } from 'undici';
import { readKeys } from './read-keys.ts';

const timeoutMs = 3_000;
const maxBytes = 512 * 1_024;

/** Fetches a JSON Web Key Set; redirects are not followed. */
export async function fetchKeys(url: string): Promise<Map<string, CryptoKey>> {
  const { statusCode, body } = await request(url, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new Error('the key set is too long');
    chunks.push(chunk);
  }
  if (statusCode !== 200) throw new Error(`the key set answered ${statusCode}`);
  return readKeys(Buffer.concat(chunks).toString());
}

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const bytesBetween = 1_024 * 1_024;
const msBetween = 50;

setFlagsFromString('--expose-gc');
const collect: (options: { type: 'minor' }) => void = runInNewContext('gc');

let bytes = 0;
let collectedAt = 0;

/**
 * Notes bytes that have passed through. V8 lets 32 MiB of spent buffers pile up before it looks at them, and a long
 * stream makes little else; so at most twenty times a second a stream has the young ones cleared away.
 */
export function noteRelayed(length: number) {
  bytes += length;
  if (bytes < bytesBetween) return;
  const now = performance.now();
  if (now - collectedAt < msBetween) return;
  bytes = 0;
  collectedAt = now;
  collect({ type: 'minor' });
}

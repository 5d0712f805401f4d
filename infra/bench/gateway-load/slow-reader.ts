import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryOf } from '../harness/usage.ts';

const bytes = 200 * 1_024 * 1_024;
const stepBytes = 2 * 1_024 * 1_024;
const readers = 5;

interface Stream {
  url: string;
  headers: Record<string, string>;
  /** The process that sends it. */
  pid: number;
}

/**
 * Reads 200 MB fast, and then slowly by five readers at once. Any download makes a process grow by the buffers that V8 has
 * not collected yet, up to 32 MiB. What the slow readers add is the difference of the peaks, which is returned in MiB.
 */
export async function growthUnderSlowReaders(stream: Stream): Promise<number> {
  const fast = await peakWhileReading(stream, 0);
  const slow = await Promise.all(Array.from({ length: readers }, () => peakWhileReading(stream, 50)));
  return Math.max(...slow) - fast;
}

async function peakWhileReading({ url, headers, pid }: Stream, pauseMs: number) {
  const [response] = await once(request(url, { headers }).end(), 'response');
  let [peak, received] = [0, 0];
  for await (const chunk of response) {
    const step = Math.floor(received / stepBytes);
    received += chunk.length;
    if (Math.floor(received / stepBytes) === step) continue;
    await pause(pauseMs);
    peak = Math.max(peak, await memoryOf(pid));
  }
  if (received !== bytes) throw new Error(`${received} bytes arrived instead of ${bytes}`);
  return peak;
}

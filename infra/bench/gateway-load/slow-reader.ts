import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryOf } from './processes.ts';

const bytes = 200 * 1_024 * 1_024;

/** Reads 200 MB slowly and returns the peak memory growth of a process in MiB. */
export async function growthUnderSlowReader(
  url: string,
  headers: Record<string, string>,
  pid: number,
): Promise<number> {
  const before = await memoryOf(pid);
  let peak = before;
  let read = 0;
  const sent = request(url, { headers }).end();
  const [response] = await once(sent, 'response');
  for await (const chunk of response) {
    const step = Math.floor(read / (2 * 1_024 * 1_024));
    read += chunk.length;
    if (Math.floor(read / (2 * 1_024 * 1_024)) === step) continue;
    await pause(50);
    peak = Math.max(peak, await memoryOf(pid));
  }
  if (read !== bytes) throw new Error(`${read} bytes arrived instead of ${bytes}`);
  return peak - before;
}

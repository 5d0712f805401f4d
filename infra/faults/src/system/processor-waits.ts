import { readFileSync } from 'node:fs';

/** For how many milliseconds some process has waited for a processor since the system was started; 0 if the kernel does not say. */
export function processorWaitMs(): number {
  try {
    return Number(/^some .*total=(\d+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1] ?? 0) / 1_000;
  } catch {
    return 0;
  }
}

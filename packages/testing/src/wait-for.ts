import { setTimeout as pause } from 'node:timers/promises';

export interface WaitOptions {
  timeoutMs?: number;
  /** Describes the condition in the error message. */
  until?: string;
  /** For a condition that does not last. By default, the function is called every 20 ms at first, and at last every 150 ms. */
  everyMs?: number;
}

/** Calls the function until its result is truthy, and returns the result. The longer it waits, the less often it calls it. */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 180_000, until = 'the condition', everyMs }: WaitOptions = {},
): Promise<NonNullable<T>> {
  const startedAt = Date.now();
  for (;;) {
    const result = await condition();
    if (result) return result;
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > timeoutMs) throw new Error(`Waited ${timeoutMs} ms for ${until}`);
    await pause(everyMs ?? Math.min(Math.max(20, waitedMs / 5), 150));
  }
}

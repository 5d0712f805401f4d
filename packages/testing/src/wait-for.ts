import { setTimeout as pause } from 'node:timers/promises';

export interface WaitOptions {
  timeoutMs?: number;
  /** Describes the condition in the error message. */
  until?: string;
}

/** Calls the function until its result is truthy, and returns the result. */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 180_000, until = 'the condition' }: WaitOptions = {},
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = await condition();
    if (result) return result;
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms for ${until}`);
    await pause(20);
  }
}

import { setTimeout as pause } from 'node:timers/promises';

export interface WaitOptions {
  timeoutMs?: number;
  /** What is waited for, for the message when it does not come. */
  until?: string;
}

/** Asks again and again until the answer is truthy, and returns it. */
export async function waitFor<T>(
  ask: () => T | Promise<T>,
  { timeoutMs = 10_000, until = 'the condition' }: WaitOptions = {},
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline) throw new Error(`Waited ${timeoutMs} ms in vain for ${until}`);
    await pause(20);
  }
}

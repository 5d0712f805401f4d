import { setTimeout as pause } from 'node:timers/promises';

const longerThanATestMs = 2 * 60_000;

/** The UTC month that usage is counted in. Shortly before its end, this waits for the next one. */
export async function quotaMonth() {
  const now = new Date();
  const end = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
  if (end.getTime() - now.getTime() > longerThanATestMs) return { month: now.toISOString().slice(0, 7), end };
  await pause(end.getTime() - now.getTime());
  return quotaMonth();
}

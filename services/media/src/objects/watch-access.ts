import type { ServerResponse } from 'node:http';

/**
 * Ends a download when its reader has lost access, or when that could not be checked for two intervals. It ends at the
 * latest three intervals after the last successful check began.
 */
export function watchAccess(response: ServerResponse, intervalMs: number, canRead: () => Promise<boolean>) {
  let checkedAt = Date.now();
  const timer = setInterval(() => {
    const startedAt = Date.now();
    if (startedAt - checkedAt > 2 * intervalMs) return void response.destroy();
    canRead().then(
      (isGranted) => {
        if (isGranted) checkedAt = startedAt;
        else response.destroy();
      },
      () => undefined,
    );
    return undefined;
  }, intervalMs).unref();
  response.once('close', () => clearInterval(timer));
}

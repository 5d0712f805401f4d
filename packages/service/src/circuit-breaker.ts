const failuresToOpen = 5;
const trialIntervalMs = 1_000;
const outages = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** True for the error of a request whose server could not be connected to. */
export const isOutage = (error: unknown) => outages.includes(Object(error).code);

/**
 * Decides whether requests are sent to another server. Opens after five failures in a row, then admits one trial
 * request a second until one succeeds. It does not wait for the end of a trial, which may be a long upload.
 */
export function createCircuitBreaker() {
  let [failures, allFailures, nextTrialAt] = [0, 0, 0];
  return {
    admits(): boolean {
      const now = performance.now();
      if (failures < failuresToOpen) return true;
      if (now < nextTrialAt) return false;
      nextTrialAt = now + trialIntervalMs;
      return true;
    },
    succeeded() {
      failures = 0;
    },
    failed() {
      [failures, allFailures, nextTrialAt] = [failures + 1, allFailures + 1, performance.now() + trialIntervalMs];
    },
    isOpen: () => failures >= failuresToOpen,
    failureCount: () => allFailures,
  };
}

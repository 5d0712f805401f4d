const failuresToOpen = 5;
const pauseMs = 1_000;

/** After five failures in a row a service is left alone for a second; then one request at a time finds out whether it is back. */
export function createBreaker() {
  let failures = 0;
  let allFailures = 0;
  let openUntil = 0;
  let trying = false;

  return {
    /** False while a request would only wait for a failure. */
    admits(): boolean {
      if (failures < failuresToOpen) return true;
      if (trying || performance.now() < openUntil) return false;
      trying = true;
      return true;
    },
    succeeded() {
      failures = 0;
      trying = false;
    },
    failed() {
      failures += 1;
      allFailures += 1;
      trying = false;
      openUntil = performance.now() + pauseMs;
    },
    isOpen: () => failures >= failuresToOpen,
    /** Since the start of this process. */
    failureCount: () => allFailures,
    /** The request ended for reasons of its own, and says nothing of the service. */
    abandoned() {
      trying = false;
    },
  };
}

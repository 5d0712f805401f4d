import { unavailable } from '@lms/service/problems';
import type { Tally } from '../tally.ts';

const sampleMs = 100;
const longestLagMs = 1_000;
const retryAfterSeconds = 1;

/** Refuses requests that could only wait: when too many are under way, or the event loop lags by a second. */
export function createShedder(mostInFlight: number, tally: Pick<Tally, 'shed'>) {
  let inFlight = 0;
  let lagMs = 0;
  let sampledAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    lagMs = now - sampledAt - sampleMs;
    sampledAt = now;
  }, sampleMs).unref();

  return {
    enter() {
      inFlight += 1;
    },
    /** @throws a 503 when there are too many */
    check() {
      if (inFlight <= mostInFlight && lagMs <= longestLagMs) return;
      tally.shed += 1;
      throw unavailable(undefined, retryAfterSeconds);
    },
    leave() {
      inFlight -= 1;
    },
    inFlight: () => inFlight,
    close: () => clearInterval(timer),
  };
}
export type Shedder = ReturnType<typeof createShedder>;

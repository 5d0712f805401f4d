import type { IncomingMessage } from 'node:http';
import { unavailable } from '@lms/server/problems';

const patienceMs = 3_000;
const retryAfterSeconds = 5;

/** So many at once; as many more wait a moment for one of them to end. */
export function createPlaces(atOnce: number) {
  const waiting: (() => void)[] = [];
  let taken = 0;

  return {
    /** @throws a 503 when there is none, and none becomes free in time */
    async take(raw: IncomingMessage): Promise<void> {
      if (taken < atOnce) {
        taken += 1;
        return;
      }
      if (waiting.length >= atOnce) throw unavailable(undefined, retryAfterSeconds);
      await new Promise<void>((resolve, reject) => {
        const settle = () => {
          clearTimeout(timer);
          raw.off('close', giveUp);
        };
        const enter = () => {
          settle();
          resolve();
        };
        const giveUp = () => {
          settle();
          waiting.splice(waiting.indexOf(enter), 1);
          reject(unavailable(undefined, retryAfterSeconds));
        };
        const timer = setTimeout(giveUp, patienceMs);
        raw.once('close', giveUp);
        waiting.push(enter);
      });
    },

    /** Hands a place to who has waited longest for it. */
    leave() {
      const enter = waiting.shift();
      if (enter) enter();
      else taken -= 1;
    },
  };
}

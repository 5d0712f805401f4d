import type { ServerResponse } from 'node:http';
import { enrollmentEvents } from '@lms/contracts/events/enrollment';
import { userEvents } from '@lms/contracts/events/identity';

interface Download {
  response: ServerResponse;
  /** The user whose access counts. */
  userId: string;
  canRead: () => Promise<boolean>;
}

/** Ends downloads whose readers have lost access: soon after the event that says so, or at the next check. */
export function createAccessWatch(intervalMs = 3_000) {
  const watched = new Set<{ userId: string; check: () => void }>();

  function checkUser(userId: unknown) {
    for (const watching of watched) if (watching.userId === userId) watching.check();
  }

  return {
    /**
     * Ends the download also when the access could not be checked for two intervals: at the latest three intervals after
     * the last successful check began.
     */
    watch({ response, userId, canRead }: Download) {
      let checkedAt = performance.now();
      const check = () => {
        const startedAt = performance.now();
        canRead().then(
          (isGranted) => {
            if (isGranted) checkedAt = startedAt;
            else response.destroy();
          },
          () => undefined,
        );
      };
      const timer = setInterval(() => {
        if (performance.now() - checkedAt > 2 * intervalMs) response.destroy();
        else check();
      }, intervalMs).unref();
      const watching = { userId, check };
      watched.add(watching);
      response.once('close', () => {
        clearInterval(timer);
        watched.delete(watching);
      });
    },
    subscriptions: [
      { subject: enrollmentEvents, userIdOf: (data: unknown) => Object(data).userId },
      { subject: userEvents, userIdOf: (data: unknown) => Object(data).id },
    ].map(({ subject, userIdOf }) => ({
      subject,
      // The next check includes what was missed.
      onGap: () => undefined,
      onEvent: ({ data }: { data: unknown }) => checkUser(userIdOf(data)),
    })),
  };
}
export type AccessWatch = ReturnType<typeof createAccessWatch>;

import { enrollmentEvents } from '@lms/contracts/events/enrollment';
import { userEvents } from '@lms/contracts/events/identity';
import { atMost } from '@lms/service/cache-size';
import { LRUCache } from 'lru-cache';

// Players fetch a segment every few seconds. Without NATS, a revocation takes effect when this time has passed.
const defaultMs = 5_000;
const maxCached = 20_000;

/** Caches which user may play the video of which topic; events drop what may have changed. */
export function createGrants(cachedMs = defaultMs) {
  const grants = new LRUCache<string, string>({ ...atMost(maxCached), ttl: cachedMs });
  let invalidations = 0;

  function invalidateAll() {
    invalidations += 1;
    grants.clear();
  }
  function invalidateUser(id: unknown) {
    invalidations += 1;
    for (const [key, userId] of grants.entries()) if (userId === id) grants.delete(key);
  }

  return {
    /** @param check throws if the user has no access, else returns when it ends, if that is known */
    async require(userId: string, topicId: string, check: () => Promise<Date | undefined>) {
      const key = `${userId}:${topicId}`;
      if (grants.has(key)) return;
      const invalidationsBefore = invalidations;
      const endsAt = await check();
      const ttl = endsAt ? Math.min(cachedMs, endsAt.getTime() - Date.now()) : cachedMs;
      // Access that may have ended during the check is not cached.
      if (ttl > 0 && invalidations === invalidationsBefore) grants.set(key, userId, { ttl });
    },
    subscriptions: [
      ...[
        { subject: enrollmentEvents, userIdOf: (data: unknown) => Object(data).userId },
        { subject: userEvents, userIdOf: (data: unknown) => Object(data).id },
      ].map(({ subject, userIdOf }) => ({
        subject,
        onGap: invalidateAll,
        onEvent: ({ data }: { data: unknown }) => invalidateUser(userIdOf(data)),
      })),
      // A subject may have another mentor, or be inactive.
      { subject: 'lms.content.*.*.v1', onGap: invalidateAll, onEvent: invalidateAll },
    ],
  };
}
export type Grants = ReturnType<typeof createGrants>;

import { enrollmentEvents } from '@lms/contracts/events/enrollment';
import { userEvents } from '@lms/contracts/events/identity';
import { mediaEvents, removalEvents } from '@lms/contracts/events/media';
import { isId } from '@lms/contracts/ids';
import type { Entitlement } from './entitlement/create-entitlement.ts';
import { removalHandlers, videoStateHandlers } from './hierarchy/on-media-changed.ts';
import { userHandlers } from './hierarchy/on-user-changed.ts';

/** The durable consumers of the content service. */
export const consumers = [
  { durable: 'content-identity-users', filter: userEvents, handlers: userHandlers },
  { durable: 'content-media-removals', filter: removalEvents, handlers: removalHandlers },
  { durable: 'content-media-video-states', filter: mediaEvents, handlers: videoStateHandlers },
];

/** Invalidates the cached access of an enrollment that changed, and all cached access after a gap in the subscription. */
export const onEnrollmentChanged = (entitlement: Pick<Entitlement, 'invalidate' | 'invalidateAll'>) => ({
  subject: enrollmentEvents,
  onGap: entitlement.invalidateAll,
  onEvent({ data }: { data: unknown }) {
    const { userId, subjectId } = Object(data);
    if (isId(userId) && isId(subjectId)) entitlement.invalidate(userId, subjectId);
    else entitlement.invalidateAll();
  },
});

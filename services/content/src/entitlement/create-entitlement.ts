import type { TopicAccess } from '@lms/contracts/internal/content';
import {
  EnrolledSubjects,
  EnrollmentAccess,
  enrolledSubjectsPath,
  enrollmentAccessPath,
} from '@lms/contracts/internal/enrollment';
import type { Principal } from '@lms/contracts/passport';
import { atMost } from '@lms/service/cache-size';
import { statusOf } from '@lms/service/problems';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import { LRUCache } from 'lru-cache';
import { canManage, isMentorOf, type MentorAssignment } from './mentors.ts';

export interface AccessRequest {
  caller: Principal | null;
  context: CallContext;
  /** Whether cached access does not suffice. */
  isFresh?: boolean | undefined;
}

// A revocation takes effect within ten seconds: the cache may use eight, requests in flight the rest.
const cacheTtlMs = 8_000;
const maxCached = 50_000;

type Enrollment = Pick<EnrollmentAccess, 'granted' | 'expiresAt'>;
const notEnrolled: Enrollment = { granted: false, expiresAt: null };

const isUnavailable = (error: unknown) => [404, 503].includes(statusOf(error) ?? 0);
const keyOf = (userId: string, subjectId: string) => `${userId}:${subjectId}`;

/** Decides who may read the protected content of a subject: topic texts, videos and documents. */
export function createEntitlement(enrollment: Pick<ServiceClient, 'request'>) {
  const grants = new LRUCache<string, Enrollment>({ ...atMost(maxCached), ttl: cacheTtlMs });
  let invalidations = 0;

  /** @throws 503 SERVICE_UNAVAILABLE if the enrollment service is needed and does not respond */
  async function checkAccess(
    subject: MentorAssignment & { id: string },
    { caller, context, isFresh = false }: AccessRequest,
  ): Promise<TopicAccess['read']> {
    if (caller === null) return { granted: false, reason: 'AUTHENTICATION_REQUIRED' };
    if (canManage(subject, caller)) return { granted: true, reason: null };
    const { granted, expiresAt } = caller.roles.includes('LEARNER')
      ? await getEnrollment(caller.userId, subject.id, context, isFresh)
      : notEnrolled;
    return granted ? { granted, reason: null, expiresAt } : { granted, reason: 'ENROLLMENT_REQUIRED' };
  }

  async function getEnrollment(userId: string, subjectId: string, context: CallContext, isFresh: boolean) {
    const key = keyOf(userId, subjectId);
    const cached = isFresh ? undefined : grants.get(key);
    if (cached) return cached;
    const invalidationsBefore = invalidations;
    const path = enrollmentAccessPath(subjectId);
    const { granted, expiresAt } = await enrollment.request(EnrollmentAccess, context, { path });
    const ttl = Math.min(cacheTtlMs, expiresAt === null ? cacheTtlMs : Date.parse(expiresAt) - Date.now());
    // The enrollment may have changed while the request was in flight; such a response is not cached.
    if (granted && ttl > 0 && invalidations === invalidationsBefore) grants.set(key, { granted, expiresAt }, { ttl });
    return { granted, expiresAt };
  }

  /** The subjects that the caller is enrolled in; empty if the enrollment service is unavailable. */
  async function listEnrolledSubjects({ caller, context }: AccessRequest): Promise<string[]> {
    if (!caller?.roles.includes('LEARNER')) return [];
    return enrollment.request(EnrolledSubjects, context, { path: enrolledSubjectsPath }).catch((error: unknown) => {
      if (isUnavailable(error)) return [];
      throw error;
    });
  }

  return {
    checkAccess,
    listEnrolledSubjects,
    canManage,
    isMentorOf,
    /** Removes one user's cached access to one subject. */
    invalidate(userId: string, subjectId: string) {
      invalidations += 1;
      grants.delete(keyOf(userId, subjectId));
    },
    invalidateAll() {
      invalidations += 1;
      grants.clear();
    },
  };
}
export type Entitlement = ReturnType<typeof createEntitlement>;

import type { Access } from '@lms/contracts/internal/content';
import {
  EnrolledSubjects,
  EnrollmentAccess,
  enrolledSubjectsPath,
  enrollmentAccessPath,
} from '@lms/contracts/internal/enrollment';
import type { Principal } from '@lms/contracts/passport';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import { LRUCache } from 'lru-cache';
import { canManage, isMentorOf, type MentorAssignment } from './mentors.ts';

export interface AccessRequest {
  caller: Principal | null;
  context: CallContext;
}

// A revocation is in force after ten seconds at worst: this much for the cached answer, the rest for those under way.
const cacheTtlMs = 8_000;
const maxCached = 50_000;

const isUnavailable = (error: unknown) => [404, 503].includes(Object(error).statusCode);
const keyOf = (userId: string, subjectId: string) => `${userId}:${subjectId}`;

/** Answers who is entitled to a subject's substance: topic bodies, videos and documents alike. */
export function createEntitlement(enrollment: Pick<ServiceClient, 'request'>) {
  const enrolled = new LRUCache<string, true>({ max: maxCached, ttl: cacheTtlMs });
  let invalidations = 0;

  /** @throws a 503 problem when enrollment has to be asked and does not answer */
  async function checkAccess(
    subject: MentorAssignment & { id: string },
    { caller, context }: AccessRequest,
  ): Promise<Access> {
    if (caller === null) return { granted: false, reason: 'AUTHENTICATION_REQUIRED' };
    if (canManage(subject, caller)) return { granted: true, reason: null };
    if (caller.roles.includes('LEARNER') && (await isEnrolled(caller.userId, subject.id, context)))
      return { granted: true, reason: null };
    return { granted: false, reason: 'ENROLLMENT_REQUIRED' };
  }

  async function isEnrolled(userId: string, subjectId: string, context: CallContext): Promise<boolean> {
    const key = keyOf(userId, subjectId);
    if (enrolled.has(key)) return true;
    const invalidationsBefore = invalidations;
    const { granted, expiresAt } = await enrollment.request(EnrollmentAccess, context, {
      path: enrollmentAccessPath(subjectId),
    });
    const ttl = Math.min(cacheTtlMs, expiresAt === null ? cacheTtlMs : Date.parse(expiresAt) - Date.now());
    // An answer that a change has overtaken is not kept.
    if (granted && ttl > 0 && invalidations === invalidationsBefore) enrolled.set(key, true, { ttl });
    return granted;
  }

  /** The subjects whose texts the caller may read as a learner; none when nobody can tell. */
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
    /** Drops what is remembered of one person in one subject. */
    invalidate(userId: string, subjectId: string) {
      invalidations += 1;
      enrolled.delete(keyOf(userId, subjectId));
    },
    invalidateAll() {
      invalidations += 1;
      enrolled.clear();
    },
  };
}
export type Entitlement = ReturnType<typeof createEntitlement>;

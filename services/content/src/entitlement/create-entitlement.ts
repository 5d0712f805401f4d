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
import { isMentorOf, type Mentored, mayManage } from './mentors.ts';

export interface Asking {
  caller: Principal | null;
  behalf: CallContext;
}

// A revocation is in force after ten seconds at worst: this much for the cached answer, the rest for those under way.
const keptMs = 8_000;
const mostKept = 50_000;

const isRefusalToAnswer = (error: unknown) => [404, 503].includes(Object(error).statusCode);
const keyOf = (userId: string, subjectId: string) => `${userId}:${subjectId}`;

/** Answers who is entitled to a subject's substance: topic bodies, videos and documents alike. */
export function createEntitlement(enrollment: Pick<ServiceClient, 'request'>) {
  const enrolled = new LRUCache<string, true>({ max: mostKept, ttl: keptMs });
  let drops = 0;

  /** @throws a 503 problem when enrollment has to be asked and does not answer */
  async function decide(subject: Mentored & { id: string }, { caller, behalf }: Asking): Promise<Access> {
    if (caller === null) return { granted: false, reason: 'AUTHENTICATION_REQUIRED' };
    if (mayManage(subject, caller)) return { granted: true, reason: null };
    if (caller.roles.includes('LEARNER') && (await isEnrolled(caller.userId, subject.id, behalf)))
      return { granted: true, reason: null };
    return { granted: false, reason: 'ENROLLMENT_REQUIRED' };
  }

  async function isEnrolled(userId: string, subjectId: string, behalf: CallContext): Promise<boolean> {
    const key = keyOf(userId, subjectId);
    if (enrolled.has(key)) return true;
    const dropsBefore = drops;
    const { granted, expiresAt } = await enrollment.request(EnrollmentAccess, behalf, {
      path: enrollmentAccessPath(subjectId),
    });
    const ttl = Math.min(keptMs, expiresAt === null ? keptMs : Date.parse(expiresAt) - Date.now());
    // An answer that a change has overtaken is not kept.
    if (granted && ttl > 0 && drops === dropsBefore) enrolled.set(key, true, { ttl });
    return granted;
  }

  /** The subjects whose texts the caller may read as a learner; none when nobody can tell. */
  async function enrolledSubjects({ caller, behalf }: Asking): Promise<string[]> {
    if (!caller?.roles.includes('LEARNER')) return [];
    return enrollment.request(EnrolledSubjects, behalf, { path: enrolledSubjectsPath }).catch((error: unknown) => {
      if (isRefusalToAnswer(error)) return [];
      throw error;
    });
  }

  return {
    decide,
    enrolledSubjects,
    mayManage,
    isMentorOf,
    /** Drops what is remembered of one person in one subject. */
    forget(userId: string, subjectId: string) {
      drops += 1;
      enrolled.delete(keyOf(userId, subjectId));
    },
    forgetAll() {
      drops += 1;
      enrolled.clear();
    },
  };
}
export type Entitlement = ReturnType<typeof createEntitlement>;

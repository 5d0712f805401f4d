import type { Principal } from '@lms/contracts/passport';

export interface MentorAssignment {
  mentorId: string | null;
  mentorEmail: string | null;
}

/** True if the subject is assigned to the caller. An assignment by e-mail only requires a verified e-mail. */
export function isMentorOf({ mentorId, mentorEmail }: MentorAssignment, caller: Principal): boolean {
  if (!caller.roles.includes('MENTOR')) return false;
  if (mentorId !== null) return mentorId === caller.identityProviderId;
  return mentorEmail !== null && caller.emailVerified && mentorEmail === caller.email.toLowerCase();
}

/** Administrators and the subject's mentor may change its videos and documents. */
export const canManage = (subject: MentorAssignment, caller: Principal | null): boolean =>
  caller !== null && (caller.roles.includes('ADMIN') || isMentorOf(subject, caller));

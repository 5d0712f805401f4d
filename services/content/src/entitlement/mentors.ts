import type { Principal } from '@lms/contracts/passport';

export interface MentorAssignment {
  mentorId: string | null;
  mentorEmail: string | null;
}

/** True for the mentor a subject is assigned to. An assignment that names an address only is its verified holder's. */
export function isMentorOf({ mentorId, mentorEmail }: MentorAssignment, caller: Principal): boolean {
  if (!caller.roles.includes('MENTOR')) return false;
  if (mentorId !== null) return mentorId === caller.identityProviderId;
  return mentorEmail !== null && caller.emailVerified && mentorEmail === caller.email.toLowerCase();
}

/** True for who may change a subject's videos and documents: administrators and its mentor. */
export const canManage = (subject: MentorAssignment, caller: Principal | null): boolean =>
  caller !== null && (caller.roles.includes('ADMIN') || isMentorOf(subject, caller));

import type { Principal } from '@lms/contracts/passport';
import { forbidden } from '@lms/service/problems';

/** @throws Forbidden unless the caller is an administrator or the mentor of the subject */
export function requireMentor({ roles, identityProviderId }: Principal, subject: { mentorId: string | null }) {
  if (roles.includes('ADMIN')) return;
  if (roles.includes('MENTOR') && subject.mentorId === identityProviderId) return;
  throw forbidden({ required: ['ADMIN', 'MENTOR'], user_roles: roles });
}

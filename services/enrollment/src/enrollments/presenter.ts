import { toWire } from '@lms/contracts/wire';
import type { EnrollmentDetails } from './repository.ts';

/** The response schema of a route decides whether `user` is sent: only administrators receive it. */
export const toEnrollment = ({ enrollment, subject, user }: EnrollmentDetails) =>
  Object.assign(toWire(enrollment), { subject, user });

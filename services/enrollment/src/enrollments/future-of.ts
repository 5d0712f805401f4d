import { invalid } from '@lms/service/problems';

/** @throws a 422 for an instant that has passed already */
export function parseExpiresAt(expiresAt: string | null | undefined): Date | null {
  if (expiresAt === null || expiresAt === undefined) return null;
  const instant = new Date(expiresAt);
  if (instant.getTime() > Date.now()) return instant;
  throw invalid({ field: 'expiresAt', message: 'must lie in the future', value: expiresAt });
}

import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { EnrollmentNotFound, InvalidState } from './errors.ts';
import { type Moving, moveEnrollment } from './move-enrollment.ts';

export const bulkActions = ['approve', 'reject', 'revoke'] as const;
export type BulkAction = (typeof bulkActions)[number];

export interface Outcome {
  id: string;
  ok: boolean;
  code?: string;
  error?: string;
  details?: unknown;
}

/** Decides one after the other, each in a transaction of its own: what one id comes to does not touch the others. */
export async function decideEnrollments(
  db: Db,
  action: BulkAction,
  ids: string[],
  moving: Moving,
  cause: Cause,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const id of ids) outcomes.push(await decide(id));
  return outcomes;

  async function decide(id: string): Promise<Outcome> {
    try {
      await moveEnrollment(db, action, { id }, moving, cause);
      return { id, ok: true };
    } catch (error) {
      if (!(error instanceof EnrollmentNotFound || error instanceof InvalidState)) throw error;
      const { code, message, details } = error;
      return { id, ok: false, code, error: message, ...(details !== undefined && { details }) };
    }
  }
}

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

/**
 * Decides one after the other, each in a transaction of its own: what one id comes to does not touch the others.
 * They are taken in the order of their ids: under an Idempotency-Key their rows stay locked until the end, and two who
 * went through the same ones in different orders would wait for each other. The outcomes are in the order given.
 */
export async function decideEnrollments(
  db: Db,
  action: BulkAction,
  ids: string[],
  moving: Moving,
  cause: Cause,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const places = ids.map((id, place) => ({ id, place })).sort((one, other) => one.id.localeCompare(other.id));
  for (const { id, place } of places) outcomes[place] = await decide(id);
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

import type { Db } from '@lms/database/connect';
import { openTransaction } from '@lms/database/open-transaction';
import { and, sql } from 'drizzle-orm';
import { matchesJoined } from './list-repository.ts';
import { type Audience, type EnrollmentDetails, type EnrollmentFilter, selectEnrollments } from './repository.ts';
import { enrollmentTable as table } from './table.ts';

const batchSize = 500;

/**
 * Reads all enrollments that match, oldest first, in batches from one snapshot of the database; `tx` reads from the same
 * snapshot. The transaction ends with the last batch or when the reader returns.
 */
export async function* readSnapshot(
  db: Db,
  filter: EnrollmentFilter,
  audience: Audience,
): AsyncGenerator<{ rows: EnrollmentDetails[]; tx: Db }, void, undefined> {
  const { tx, rollback } = await openTransaction(db, { isolationLevel: 'repeatable read', accessMode: 'read only' });
  try {
    const isMatch = await matchesJoined(tx, filter, audience);
    let last: EnrollmentDetails | undefined;
    do {
      const rows = await selectEnrollments(tx)
        .where(and(isMatch, last && isAfter(last)))
        .orderBy(table.requestedAt, table.id)
        .limit(batchSize);
      last = rows.length === batchSize ? rows.at(-1) : undefined;
      if (rows.length > 0) yield { rows, tx };
    } while (last);
  } finally {
    await rollback();
  }
}

const isAfter = ({ enrollment: { requestedAt, id } }: EnrollmentDetails) =>
  sql`(${table.requestedAt}, ${table.id}) > (${requestedAt.toISOString()}::timestamptz, ${id})`;

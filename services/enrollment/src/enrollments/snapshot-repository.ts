import type { Db } from '@lms/database/connect';
import { openTransaction } from '@lms/database/open-transaction';
import { and, eq, sql } from 'drizzle-orm';
import { outlineTable } from '../outline/table.ts';
import { userTable } from '../users/table.ts';
import {
  type Audience,
  type EnrollmentDetails,
  type EnrollmentFilter,
  matchesFilter,
  selection,
} from './repository.ts';
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
    let last: EnrollmentDetails | undefined;
    do {
      const rows = await tx
        .select(selection)
        .from(table)
        .innerJoin(outlineTable, eq(outlineTable.id, table.subjectId))
        .innerJoin(userTable, eq(userTable.id, table.userId))
        .where(and(matchesFilter(filter, audience), last && isAfter(last)))
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

import type { Db } from '@lms/database/connect';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { nodes as table } from './table.ts';

const { id, name, externalId, parentId, isLive } = table;
const columns = { id, name, externalId, parentId, isLive };

export type SubjectRow = Awaited<ReturnType<ReturnType<typeof subjects>['listByIds']>>[number];

export const subjects = (db: Db) => ({
  /** Subjects in any state, including deleted. */
  listByIds: (ids: string[]) =>
    db
      .select(columns)
      .from(table)
      .where(and(eq(table.kind, 'subject'), inArray(id, ids))),

  /** Subjects that are not deleted: a deleted one may have the external id of another. */
  listByExternalIds: (externalIds: string[]) =>
    db
      .select(columns)
      .from(table)
      .where(and(eq(table.kind, 'subject'), inArray(externalId, externalIds), isNull(table.deletedAt))),
});

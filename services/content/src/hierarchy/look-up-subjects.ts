import type { FoundSubject } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import { type SubjectRow, subjects } from './subjects-repository.ts';

/**
 * Finds subjects by id, in any state, and by external id, if they are not deleted. The results are in the order of the
 * input, null for unknown subjects.
 */
export async function lookUpSubjects(db: Db, { ids, externalIds }: { ids: string[]; externalIds: string[] }) {
  const [known, named] = await Promise.all([subjects(db).listByIds(ids), subjects(db).listByExternalIds(externalIds)]);
  const byId = new Map(known.map((row) => [row.id, toFoundSubject(row)]));
  const byExternalId = new Map(named.map((row) => [row.externalId, toFoundSubject(row)]));
  return {
    byId: ids.map((id) => byId.get(id) ?? null),
    byExternalId: externalIds.map((id) => byExternalId.get(id) ?? null),
  };
}

const toFoundSubject = ({ id, name, parentId, isLive }: SubjectRow): FoundSubject => ({
  id,
  name,
  gradeId: parentId ?? '',
  isLive,
});

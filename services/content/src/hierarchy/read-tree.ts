import type { Db } from '@lms/database/connect';
import { tree } from './tree-repository.ts';

type Row = Awaited<ReturnType<ReturnType<typeof tree>['listLiveOutline']>>[number];

/** The live outline from levels down to subjects, with the number of topics of each subject, in two statements. */
export async function readTree(db: Db) {
  const rows = await tree(db).listLiveOutline();
  const counts = new Map((await tree(db).countLiveChildren()).map(({ parentId, total }) => [parentId, total]));
  const children = new Map<string | null, Row[]>();
  for (const row of rows) {
    const siblings = children.get(row.parentId);
    if (siblings) siblings.push(row);
    else children.set(row.parentId, [row]);
  }
  const below = (id: string | null) => children.get(id) ?? [];
  const count = (id: string) => counts.get(id) ?? 0;

  const subjectsOf = (gradeId: string) => below(gradeId).map(({ id, name }) => ({ id, name, topicCount: count(id) }));
  const gradesOf = (levelId: string) =>
    below(levelId).map(({ id, name, level }) => ({
      id,
      name,
      level: level ?? 'primary',
      subjectCount: count(id),
      subjects: subjectsOf(id),
    }));
  return below(null).map(({ id, name }) => ({ id, name, gradeCount: count(id), grades: gradesOf(id) }));
}

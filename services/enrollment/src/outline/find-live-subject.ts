import { isId } from '@lms/contracts/ids';
import { InternalSubject, subjectPath } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import type { Behalf, Neighbour } from '@lms/server/ask-neighbour';
import { SubjectNotFound } from './errors.ts';
import { outline } from './repository.ts';

/** A subject that content calls live, and the version of it that we had heard of before asking. */
export interface LiveSubject {
  id: string;
  heardVersion: number;
}

/**
 * Asks content, which owns the answer, and notes a subject not yet heard of.
 * @throws SubjectNotFound when it is unknown, inactive or deleted
 */
export async function findLiveSubject(db: Db, content: Neighbour, behalf: Behalf, id: string): Promise<LiveSubject> {
  if (!isId(id)) throw new SubjectNotFound();
  const heard = await outline(db).findSubject(id);
  const subject = await content.ask(InternalSubject, behalf, { path: subjectPath(id) });
  if (!subject.isLive) throw new SubjectNotFound();
  if (!heard)
    await outline(db).note({ id, kind: 'subject', parentId: subject.gradeId, name: subject.name, isLive: true });
  return { id, heardVersion: heard?.version ?? 0 };
}

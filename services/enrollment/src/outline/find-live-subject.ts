import { isId } from '@lms/contracts/ids';
import type { Db } from '@lms/database/connect';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import { askSubject } from './ask-subject.ts';
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
export async function findLiveSubject(
  db: Db,
  content: Pick<ServiceClient, 'request'>,
  behalf: CallContext,
  id: string,
): Promise<LiveSubject> {
  if (!isId(id)) throw new SubjectNotFound();
  const heard = await outline(db).find('subject', id);
  const { name, gradeId, isLive } = await askSubject(content, behalf, id);
  if (!isLive) throw new SubjectNotFound();
  if (!heard) await outline(db).note({ id, kind: 'subject', parentId: gradeId, name });
  return { id, heardVersion: heard?.version ?? 0 };
}

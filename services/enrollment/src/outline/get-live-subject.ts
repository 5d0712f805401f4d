import { isId } from '@lms/contracts/ids';
import type { Db } from '@lms/database/connect';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import { SubjectNotFound } from './errors.ts';
import { getSubject } from './get-subject.ts';
import { outline } from './repository.ts';

/** A subject that content calls live, and the version of it that we had known of before asking. */
export interface LiveSubject {
  id: string;
  knownVersion: number;
}

/**
 * Asks content, which owns the answer, and notes a subject not yet known of.
 * @throws SubjectNotFound when it is unknown, inactive or deleted
 */
export async function getLiveSubject(
  db: Db,
  content: Pick<ServiceClient, 'request'>,
  context: CallContext,
  id: string,
): Promise<LiveSubject> {
  if (!isId(id)) throw new SubjectNotFound();
  const known = await outline(db).find('subject', id);
  const { name, gradeId, isLive } = await getSubject(content, context, id);
  if (!isLive) throw new SubjectNotFound();
  if (!known) await outline(db).insertIfAbsent({ id, kind: 'subject', parentId: gradeId, name });
  return { id, knownVersion: known?.version ?? 0 };
}

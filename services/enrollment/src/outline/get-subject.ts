import { isId } from '@lms/contracts/ids';
import { InternalSubject, subjectPath } from '@lms/contracts/internal/content';
import type { Db } from '@lms/database/connect';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import { SubjectNotFound } from './errors.ts';
import { outline } from './repository.ts';

type ContentClient = Pick<ServiceClient, 'request'>;

/** A live subject, and the version of the local copy before content was called (0 if there was none). */
export interface LiveSubject {
  id: string;
  knownVersion: number;
}

/** Requests a subject from content; an inactive one, too, and for administrators a deleted one. @throws content's 404 */
export const getSubject = (content: ContentClient, context: CallContext, id: string) =>
  content.request(InternalSubject, context, { path: subjectPath(id) });

/**
 * Requests a subject from content and stores a local copy if there is none.
 * @throws SubjectNotFound if it is unknown, inactive or deleted
 */
export async function getLiveSubject(
  db: Db,
  content: ContentClient,
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

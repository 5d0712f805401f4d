import { InternalSubject, subjectPath } from '@lms/contracts/internal/content';
import type { Behalf, Neighbour } from '@lms/server/ask-neighbour';

/** A subject as content says right now, also when it is inactive or deleted. @throws content's 404 */
export const askSubject = (content: Pick<Neighbour, 'ask'>, behalf: Behalf, id: string) =>
  content.ask(InternalSubject, behalf, { path: subjectPath(id) });

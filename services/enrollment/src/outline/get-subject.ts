import { InternalSubject, subjectPath } from '@lms/contracts/internal/content';
import type { CallContext, ServiceClient } from '@lms/service/service-client';

/** A subject as content says right now, also when it is inactive or deleted. @throws content's 404 */
export const getSubject = (content: Pick<ServiceClient, 'request'>, context: CallContext, id: string) =>
  content.request(InternalSubject, context, { path: subjectPath(id) });

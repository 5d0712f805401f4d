import { accessReasons, freshTopicAccessPath, TopicAccess, topicAccessPath } from '@lms/contracts/internal/content';
import type { Principal } from '@lms/contracts/passport';
import { defineProblem, forbidden, statusOf, Unauthorized } from '@lms/service/problems';
import type { CallContext, ServiceClient } from '@lms/service/service-client';

const EnrollmentRequired = defineProblem(
  'ENROLLMENT_REQUIRED',
  403,
  'Only learners who are enrolled in the subject can open this',
);

/** Content decides, for every request, what the caller may do with the video and documents of a topic. */
export function createAccess(content: ServiceClient) {
  const getAccess = (callContext: CallContext, topicId: string, path = topicAccessPath(topicId)) =>
    content.request(TopicAccess, callContext, { path });

  return {
    /** Returns when the access ends, if that is known. @throws 401, 403 ENROLLMENT_REQUIRED, or 404 if the caller cannot see the topic */
    async requireRead(callContext: CallContext, topicId: string, path = topicAccessPath(topicId)) {
      const { read, subjectId } = await getAccess(callContext, topicId, path);
      if (read.granted) return read.expiresAt ? new Date(read.expiresAt) : undefined;
      const [authentication] = accessReasons;
      throw read.reason === authentication ? new Unauthorized() : new EnrollmentRequired({ details: { subjectId } });
    },

    /** The same, without content's cache of granted access. */
    requireFreshRead(callContext: CallContext, topicId: string) {
      return this.requireRead(callContext, topicId, freshTopicAccessPath(topicId));
    },

    /** For a download under way: false if the caller has lost the access. @throws 503 if content does not respond */
    async canStillRead(callContext: CallContext, topicId: string): Promise<boolean> {
      try {
        return (await getAccess(callContext, topicId, freshTopicAccessPath(topicId))).read.granted;
      } catch (error) {
        if ((statusOf(error) ?? 500) < 500) return false;
        throw error;
      }
    },

    /** False for a deleted topic, which may be restored with everything that was attached to it. */
    async canSee(callContext: CallContext, topicId: string): Promise<boolean> {
      try {
        await getAccess(callContext, topicId);
        return true;
      } catch (error) {
        if (statusOf(error) === 404) return false;
        throw error;
      }
    },

    /** @throws 403 FORBIDDEN unless the caller is an admin or the mentor of the subject, or 404 */
    async requireManage(callContext: CallContext, topicId: string, { roles }: Pick<Principal, 'roles'>) {
      const { manage } = await getAccess(callContext, topicId);
      if (!manage) throw forbidden({ required: ['ADMIN', 'MENTOR'], user_roles: roles });
    },
  };
}
export type Access = ReturnType<typeof createAccess>;

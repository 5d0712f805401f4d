import { accessReasons, TopicAccess, topicAccessPath } from '@lms/contracts/internal/content';
import type { Principal } from '@lms/contracts/passport';
import { defineProblem, forbidden, Unauthorized } from '@lms/service/problems';
import type { CallContext, ServiceClient } from '@lms/service/service-client';

const EnrollmentRequired = defineProblem(
  'ENROLLMENT_REQUIRED',
  403,
  'Only learners enrolled in the subject may open this',
);

/** What a caller may do with a topic's video and documents is content's to say, asked each time. */
export function createAccess(content: ServiceClient) {
  const ask = (behalf: CallContext, topicId: string) =>
    content.request(TopicAccess, behalf, { path: topicAccessPath(topicId) });

  return {
    /** @throws 401, 403 ENROLLMENT_REQUIRED, or 404 for topics that the caller cannot see */
    async requireRead(behalf: CallContext, topicId: string) {
      const { read } = await ask(behalf, topicId);
      if (read.granted) return;
      const [authentication] = accessReasons;
      throw read.reason === authentication ? new Unauthorized() : new EnrollmentRequired();
    },

    /** Whether the topic can be seen now. A deleted one cannot, but may come back with all it had. */
    async canSee(behalf: CallContext, topicId: string): Promise<boolean> {
      try {
        await ask(behalf, topicId);
        return true;
      } catch (error) {
        if (Object(error).statusCode === 404) return false;
        throw error;
      }
    },

    /** @throws 403 FORBIDDEN for all but admins and the subject's mentor, or 404 */
    async requireManage(behalf: CallContext, topicId: string, { roles }: Principal) {
      const { manage } = await ask(behalf, topicId);
      if (!manage) throw forbidden({ required: ['ADMIN', 'MENTOR'], user_roles: roles });
    },
  };
}
export type Access = ReturnType<typeof createAccess>;

import { type TopicVideoChange, TopicVideoChangeResponse, topicVideoStatePath } from '@lms/contracts/internal/content';
import type { CallContext } from '@lms/service/service-client';
import type { FeatureDeps } from '../deps.ts';

/**
 * Sends content a change that has been committed, so that the next read of the topic includes it. If that fails, the event
 * of the change does it moments later.
 */
export const showVideo = (
  { content }: Pick<FeatureDeps, 'content'>,
  topicId: string,
  body: TopicVideoChange,
  callContext: CallContext,
) =>
  content
    .request(TopicVideoChangeResponse.properties.data, callContext, {
      method: 'PUT',
      path: topicVideoStatePath(topicId),
      body,
    })
    .catch(() => undefined);

import { topicDocumentPath } from '@lms/contracts/internal/content';
import type { CallContext } from '@lms/service/service-client';
import { Type } from '@sinclair/typebox';
import type { FeatureDeps } from '../deps.ts';

/** Takes off an entry that content may have taken without our knowing. */
export async function rollBackDocument(
  { access, content }: Pick<FeatureDeps, 'access' | 'content'>,
  { id, topicId }: { id: string; topicId: string },
  behalf: CallContext,
) {
  const question = { method: 'DELETE', path: topicDocumentPath(topicId, id) } as const;
  await content.request(Type.Unknown(), behalf, question).catch(async (error: unknown) => {
    if (Object(error).statusCode !== 404 || !(await access.canSee(behalf, topicId))) throw error;
  });
}

import { documentsLimit } from '@lms/contracts/topic-documents';
import { uniqueViolation } from '@lms/database/errors';
import { conflict, defineProblem } from '@lms/service/problems';
import { kinds } from './kinds.ts';
import type { Kind } from './table.ts';

const defineNotFound = (kind: Kind) => defineProblem('NOT_FOUND', 404, `${kinds[kind].label} not found`);

export const notFound: Record<Kind, ReturnType<typeof defineProblem>> = {
  level: defineNotFound('level'),
  grade: defineNotFound('grade'),
  subject: defineNotFound('subject'),
  topic: defineNotFound('topic'),
};
export const VideoNotFound = defineProblem('NOT_FOUND', 404, 'Video not found');
export const DocumentNotFound = defineProblem('NOT_FOUND', 404, 'Document not found');

const TooManyDocuments = defineProblem('CONFLICT', 409, documentsLimit);
/** @param count the documents that the topic has */
export const tooManyDocuments = (count: number) =>
  new TooManyDocuments({ details: { resource: 'Topic', field: 'documents', value: count } });

export const NotDeleted = defineProblem('INVALID_STATE', 409, 'This item is not deleted');

const uniqueFields = new Map<string | undefined, keyof Unique>([
  ['nodes_level_name', 'name'],
  ['nodes_sibling_name', 'name'],
  ['nodes_external_id', 'externalId'],
]);
interface Unique {
  name: string;
  externalId?: string | null | undefined;
}

/**
 * Runs a change of a node and turns a unique violation on its name or external id into a 409 CONFLICT.
 * The change calls `setUnique` with the values that it is about to write.
 */
export async function withConflict<T>(
  kind: Kind,
  change: (setUnique: (values: Unique) => void) => Promise<T>,
): Promise<T> {
  let values: Unique = { name: '' };
  try {
    return await change((written) => {
      values = written;
    });
  } catch (error) {
    const field = uniqueFields.get(uniqueViolation(error));
    if (field === undefined) throw error;
    throw conflict({ resource: kinds[kind].resource, field, value: values[field] });
  }
}

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

export const NotDeleted = defineProblem('INVALID_STATE', 409, 'This item is not deleted');

/**
 * Runs a change of a node and turns a unique violation on its name into a 409 CONFLICT.
 * The change calls `setName` with the name that it is about to write.
 */
export async function withNameConflict<T>(
  kind: Kind,
  change: (setName: (name: string) => void) => Promise<T>,
): Promise<T> {
  let value = '';
  try {
    return await change((name) => {
      value = name;
    });
  } catch (error) {
    const index = uniqueViolation(error);
    if (index !== 'nodes_level_name' && index !== 'nodes_sibling_name') throw error;
    throw conflict({ resource: kinds[kind].resource, field: 'name', value });
  }
}

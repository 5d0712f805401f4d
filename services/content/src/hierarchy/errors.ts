import { uniqueViolation } from '@lms/database/errors';
import { conflict, defineProblem } from '@lms/service/problems';
import { kinds } from './kinds.ts';
import type { Kind } from './table.ts';

const missing = (kind: Kind) => defineProblem('NOT_FOUND', 404, `${kinds[kind].label} not found`);

export const notFound: Record<Kind, ReturnType<typeof defineProblem>> = {
  level: missing('level'),
  grade: missing('grade'),
  subject: missing('subject'),
  topic: missing('topic'),
};
export const VideoNotFound = defineProblem('NOT_FOUND', 404, 'Video not found');
export const DocumentNotFound = defineProblem('NOT_FOUND', 404, 'Document not found');

export const NotDeleted = defineProblem('INVALID_STATE', 409, 'This is not deleted');

/** Runs a change, which says what the node's name will be, and answers one that is taken with the conflict it is. */
export async function withNameConflict<T>(
  kind: Kind,
  change: (setName: (name: string) => void) => Promise<T>,
): Promise<T> {
  let name = '';
  try {
    return await change((current) => {
      name = current;
    });
  } catch (error) {
    const index = uniqueViolation(error);
    if (index !== 'nodes_level_name' && index !== 'nodes_sibling_name') throw error;
    throw conflict({ resource: kinds[kind].resource, field: 'name', value: name });
  }
}

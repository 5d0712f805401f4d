import { violatedUnique } from '@lms/database/failures';
import { conflict, defineProblem } from '@lms/server/problems';
import { kinds } from './kinds.ts';
import type { Kind } from './table.ts';

export const notFound: Record<Kind, ReturnType<typeof defineProblem>> = {
  level: defineProblem('NOT_FOUND', 404, 'Education level not found'),
  grade: defineProblem('NOT_FOUND', 404, 'Grade not found'),
  subject: defineProblem('NOT_FOUND', 404, 'Subject not found'),
  topic: defineProblem('NOT_FOUND', 404, 'Topic not found'),
};
export const VideoNotFound = defineProblem('NOT_FOUND', 404, 'This topic has no video');
export const DocumentNotFound = defineProblem('NOT_FOUND', 404, 'This topic has no such document');

export const NotDeleted = defineProblem('INVALID_STATE', 409, 'This is not deleted');

/** Runs a change, which says what the node's name will be, and answers one that is taken with the conflict it is. */
export async function refusingTakenNames<T>(
  kind: Kind,
  change: (naming: (name: string) => void) => Promise<T>,
): Promise<T> {
  let name = '';
  try {
    return await change((current) => {
      name = current;
    });
  } catch (error) {
    const index = violatedUnique(error);
    if (index !== 'nodes_level_name' && index !== 'nodes_sibling_name') throw error;
    throw conflict({ resource: kinds[kind].resource, field: 'name', value: name });
  }
}

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

/** Runs a change and answers a name that is taken among the living with the conflict it is. */
export async function refusingTakenNames<T>(kind: Kind, name: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    const index = violatedUnique(error);
    if (index !== 'nodes_level_name' && index !== 'nodes_sibling_name') throw error;
    throw conflict({ resource: kinds[kind].resource, field: 'name', value: name });
  }
}

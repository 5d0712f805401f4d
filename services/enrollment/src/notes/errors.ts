import { defineProblem } from '@lms/server/problems';

export const NoteNotFound = defineProblem('NOT_FOUND', 404, 'Note not found');

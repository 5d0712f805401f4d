import { defineProblem } from '@lms/service/problems';

export const NoteNotFound = defineProblem('NOT_FOUND', 404, 'Note not found');

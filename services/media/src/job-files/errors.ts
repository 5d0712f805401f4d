import { defineProblem } from '@lms/service/problems';

export const FileNotFound = defineProblem('NOT_FOUND', 404, 'File not found');

import { defineProblem } from '@lms/server/problems';

export const VideoNotFound = defineProblem('NOT_FOUND', 404, 'Video not found');

import { defineProblem } from '@lms/service/problems';

export const VideoNotFound = defineProblem('NOT_FOUND', 404, 'Video not found');

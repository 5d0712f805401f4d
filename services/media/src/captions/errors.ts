import { defineProblem } from '@lms/service/problems';

export const VideoNotFound = defineProblem('NOT_FOUND', 404, 'Video not found');
export const CaptionsNotFound = defineProblem('NOT_FOUND', 404, 'Captions not found');
export const TooManyTracks = defineProblem('CONFLICT', 409, 'The video has the maximum number of caption tracks');

import { defineProblem } from '@lms/service/problems';

export const VideoNotFound = defineProblem('NOT_FOUND', 404, 'Video not found');
export const ProcessingNotFailed = defineProblem(
  'INVALID_STATE',
  409,
  'The processing of this video has not failed, so it cannot be started again',
);

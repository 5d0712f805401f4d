import { roles } from '@lms/contracts/passport';
import { defineProblem } from '@lms/service/problems';

export const VideoNotFound = defineProblem('NOT_FOUND', 404, 'Video not found');
export const PlaybackNotFound = defineProblem('NOT_FOUND', 404, 'Playback not found');
export const FileNotFound = defineProblem('NOT_FOUND', 404, 'File of the playback not found');
export const PlaybackEnded = defineProblem(
  'FORBIDDEN',
  403,
  'This playback has ended: it has expired, or the video was replaced or removed. Request a new one',
  { required: roles, user_roles: [] },
);

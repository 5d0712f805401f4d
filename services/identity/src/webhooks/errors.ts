import { defineProblem } from '@lms/service/problems';

export const InvalidSignature = defineProblem('INVALID_SIGNATURE', 401, 'Invalid signature');

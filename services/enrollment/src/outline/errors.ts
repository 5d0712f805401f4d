import { defineProblem } from '@lms/service/problems';

export const SubjectNotFound = defineProblem('NOT_FOUND', 404, 'Subject not found');
export const TopicNotFound = defineProblem('NOT_FOUND', 404, 'Topic not found');

import { defineProblem } from '@lms/service/problems';

export const DocumentNotFound = defineProblem('NOT_FOUND', 404, 'Document not found');
export const TopicNotFound = defineProblem('NOT_FOUND', 404, 'Topic not found');

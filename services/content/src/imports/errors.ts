import { defineProblem } from '@lms/service/problems';
import { importFormats } from '../curriculum/formats.ts';

export const ImportNotFound = defineProblem('NOT_FOUND', 404, 'Import not found');
export const ImportEnded = defineProblem('INVALID_STATE', 409, 'This import has ended');
export const UnsupportedFile = defineProblem(
  'UNSUPPORTED_FORMAT',
  400,
  `Unsupported file format. Accepted formats: ${importFormats.join(', ')}`,
);

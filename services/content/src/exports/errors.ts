import { defineProblem } from '@lms/service/problems';
import type { Kind } from '../hierarchy/table.ts';

export const ExportNotFound = defineProblem('NOT_FOUND', 404, 'Export not found');
export const AddressNotValid = defineProblem(
  'NOT_FOUND',
  404,
  'The address of this download is not valid or has expired; request the export again for a new one',
);

/** A file was replaced or removed after the snapshot; another snapshot has the current files. */
export class FileChanged extends Error {
  override name = 'FileChanged';
}

export const rootNotFound: Record<Kind, ReturnType<typeof defineProblem>> = {
  level: defineProblem('NOT_FOUND', 404, 'Education level not found'),
  grade: defineProblem('NOT_FOUND', 404, 'Grade not found'),
  subject: defineProblem('NOT_FOUND', 404, 'Subject not found'),
  topic: defineProblem('NOT_FOUND', 404, 'Topic not found'),
};

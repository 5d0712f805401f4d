export * from '@lms/events/tables';
export * from '@lms/idempotency/table';
export { captions } from './captions/table.ts';
export { resumableUploads, uploadParts } from './objects/resumable-uploads/table.ts';
export { objects } from './objects/table.ts';
export { renditions, videoProcessing } from './renditions/table.ts';

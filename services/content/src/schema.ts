export * from '@lms/events/tables';
export * from '@lms/idempotency/table';
export * from './exports/table.ts';
export * from './hierarchy/table.ts';
export { importItems, importMedia, imports } from './imports/table.ts';

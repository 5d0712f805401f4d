export * from '@lms/events/tables';
export * from '@lms/idempotency/table';
export * from './hierarchy/table.ts';

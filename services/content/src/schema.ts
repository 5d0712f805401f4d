export * from '@lms/events/tables';
export * from './hierarchy/table.ts';

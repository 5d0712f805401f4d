// drizzle-kit generates the migrations from these tables.
export * from '@lms/events/tables';
export * from '@lms/idempotency/table';
export * from './enrollments/table.ts';
export * from './learning/table.ts';
export * from './notes/table.ts';
export * from './outline/table.ts';
export * from './users/table.ts';

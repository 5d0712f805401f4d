// What drizzle-kit makes migrations from.
export * from '@lms/events/tables';
export * from './enrollments/table.ts';
export * from './outline/table.ts';
export * from './people/table.ts';

export { aggregateVersions, deadLetters, inbox, outbox } from '@lms/events/tables';
export { objects } from './objects/table.ts';

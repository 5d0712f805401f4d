export { aggregateVersions, deadLetters, inbox, outbox } from '@lms/events/tables';
export { userRoles } from './roles/table.ts';
export { departures, users } from './users/table.ts';

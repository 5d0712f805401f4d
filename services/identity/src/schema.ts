export { aggregateVersions, deadLetters, erasures, eventEpochs, inbox, outbox } from '@lms/events/tables';
export { idempotencyKeys } from '@lms/idempotency/table';
export { auditEntries } from './audit/table.ts';
export { mentorApplications } from './mentor-applications/table.ts';
export { departures, userRoles, users } from './users/table.ts';

import * as content from '@lms/contracts/events/content';
import { type Changes, defineEvent, type EventDefinition } from '@lms/contracts/events/definition';
import * as enrollment from '@lms/contracts/events/enrollment';
import * as media from '@lms/contracts/events/media';
import type { Db } from '@lms/database/connect';
import { type ConsumedEvent, type EventHandler, on } from '@lms/events/event-handler';
import { originalId } from '@lms/events/restored-database';
import { type Static, Type } from '@sinclair/typebox';
import { redacted } from './redact-user.ts';
import { audit } from './repository.ts';

/**
 * The part of an event's state that the audit trail uses. `userId` is the owner, if there is one; captions have no id, but
 * belong to a video, their aggregate.
 */
const EntityState = Type.Object({ id: Type.Optional(Type.String()), userId: Type.Optional(Type.String()) });

const producers = { content, media, enrollment };

// Only admins make these decisions, sometimes about themselves.
const decisions = new Set(
  [enrollment.enrollmentApproved, enrollment.enrollmentRejected, enrollment.enrollmentRevoked].map(({ type }) => type),
);

/** Whether a provider's user id belonged to a user who has been anonymized. */
export type IsAnonymized = (tx: Db, identityProviderId: string) => Promise<boolean>;

/** One durable consumer for each of the other services. */
export const auditConsumers = (isAnonymized: IsAnonymized) =>
  Object.entries(producers).map(([producer, definitions]) => ({
    durable: `identity-audit-${producer}`,
    filter: `lms.${producer}.>`,
    handlers: eventTypes(definitions).map(
      (type): EventHandler =>
        on(defineEvent(type, EntityState), (tx, event) => onServiceEvent(tx, event, isAnonymized)),
    ),
  }));

/** Records admin decisions and changes to entities of other users. Users' changes to their own entities are not recorded. */
async function onServiceEvent(tx: Db, event: ConsumedEvent<typeof EntityState>, isAnonymized: IsAnonymized) {
  const { type, aggregateId, actorId, requestId, data, time: createdAt } = event;
  const id = originalId(event.id);
  if (!actorId || (isOwn(data, actorId) && !decisions.has(type))) return;
  const [, entity = type, ...rest] = type.split('.');
  const action = [entity, ...rest].join('.');
  const changes = await redactMentors(tx, event.changes ?? {}, isAnonymized);
  const entityId = data.id ?? aggregateId;
  await audit(tx).insert({ id, actorId, action, entity, entityId, changes, requestId, createdAt });
}

// The event that removes an anonymized mentor from a subject arrives after the mentor was redacted here.
async function redactMentors(tx: Db, changes: Changes, isAnonymized: IsAnonymized): Promise<Changes> {
  for (const mentor of [changes.mentorId?.from, changes.mentorId?.to])
    if (typeof mentor === 'string' && (await isAnonymized(tx, mentor))) return { ...changes, mentorId: redacted };
  return changes;
}

const isOwn = ({ userId }: Static<typeof EntityState>, actorId: string) => userId === actorId;

/** The types of all events in a contract module. A module exports single definitions and objects of definitions. */
function eventTypes(definitions: object): string[] {
  return Object.values(definitions).flatMap((value: unknown) => {
    if (isDefinition(value)) return value.type;
    return typeof value === 'object' && value !== null
      ? Object.values(value)
          .filter(isDefinition)
          .map(({ type }) => type)
      : [];
  });
}

function isDefinition(value: unknown): value is EventDefinition {
  return typeof value === 'object' && value !== null && 'subject' in value && 'type' in value && 'data' in value;
}

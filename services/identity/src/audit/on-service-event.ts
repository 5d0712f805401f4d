import * as content from '@lms/contracts/events/content';
import { type Changes, defineEvent, type EventDefinition } from '@lms/contracts/events/definition';
import * as enrollment from '@lms/contracts/events/enrollment';
import * as media from '@lms/contracts/events/media';
import type { Db } from '@lms/database/connect';
import { type ConsumedEvent, type EventHandler, on } from '@lms/events/consume';
import { type Static, Type } from '@sinclair/typebox';
import { redacted } from './redact-user.ts';
import { audit } from './repository.ts';

/** All that the audit trail wants of an event's state; whose it is, where it is somebody's own. */
const Subject = Type.Object({ id: Type.String(), userId: Type.Optional(Type.String()) });

const producers = { content, media, enrollment };

// Only admins do these, be it to themselves.
const decisions = new Set(
  [enrollment.enrollmentApproved, enrollment.enrollmentRejected, enrollment.enrollmentRevoked].map(({ type }) => type),
);

/** Whether a provider's user id was one of somebody who has been anonymized since. */
export type IsAnonymized = (tx: Db, identityProviderId: string) => Promise<boolean>;

/** What the durable consumers are called, which subjects they hear, and what they do: one for each neighbour. */
export const auditConsumers = (isAnonymized: IsAnonymized) =>
  Object.entries(producers).map(([producer, definitions]) => ({
    durable: `identity-audit-${producer}`,
    filter: `lms.${producer}.>`,
    handlers: eventTypes(definitions).map(
      (type): EventHandler => on(defineEvent(type, Subject), (tx, event) => onServiceEvent(tx, event, isAnonymized)),
    ),
  }));

/** Notes decisions, and what somebody did to what isn't their own; what is one's own or a service's doing is no admin change. */
async function onServiceEvent(tx: Db, event: ConsumedEvent<typeof Subject>, isAnonymized: IsAnonymized) {
  const { type, actorId, requestId, data, time: createdAt } = event;
  if (!actorId || (isOwn(data, actorId) && !decisions.has(type))) return;
  const [, entity = type, ...rest] = type.split('.');
  const action = [entity, ...rest].join('.');
  const changes = await redactMentors(tx, event.changes ?? {}, isAnonymized);
  await audit(tx).insert({ actorId, action, entity, entityId: data.id, changes, requestId, createdAt });
}

// That a mentor has gone is told of subjects after the mentor was forgotten here.
async function redactMentors(tx: Db, changes: Changes, isAnonymized: IsAnonymized): Promise<Changes> {
  for (const mentor of [changes.mentorId?.from, changes.mentorId?.to])
    if (typeof mentor === 'string' && (await isAnonymized(tx, mentor))) return { ...changes, mentorId: redacted };
  return changes;
}

const isOwn = ({ userId }: Static<typeof Subject>, actorId: string) => userId === actorId;

/** The types of the events that a producer's contract defines, singly or by the kind of thing. */
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

import type { Changes } from '@lms/contracts/events/definition';
import { exceedLimit } from '@lms/contracts/topic-documents';
import { toWire } from '@lms/contracts/wire';
import type { Db } from '@lms/database/connect';
import { appendEvents, type Cause } from '@lms/events/append-event';
import { type KindDefinition, kinds } from './kinds.ts';
import type { Node } from './repository.ts';
import { kindNames } from './table.ts';

/** The data of an event: names, structure and stored files, but no topic texts and no e-mail addresses. */
function toEventState(node: Node) {
  const { id, externalId, name, description, position, isActive, deletedAt, createdAt, updatedAt, imageUrl, mentorId } =
    node;
  const outline = toWire({ id, externalId, name, description, position, isActive, deletedAt, createdAt, updatedAt });
  switch (node.kind) {
    case 'level':
      return { ...outline, imageUrl };
    case 'grade':
      return { ...outline, imageUrl, level: node.level, educationLevelId: node.parentId };
    case 'subject':
      return { ...outline, imageUrl, gradeId: node.parentId, mentorId };
    case 'topic':
      return { ...outline, subjectId: node.parentId, video: node.video?.video ?? null, documents: node.documents };
  }
}

/** Topics from before there was a limit can have too many documents for NATS, but all services must learn that they are gone. */
const toFinalState = (node: Node) => toEventState(exceedLimit(node.documents) ? { ...node, documents: [] } : node);

interface NodeChange {
  before: Node | null;
  after: Node;
}

/** Appends one event per changed node, in the transaction of the change; parents come before their children. */
export async function appendNodeEvents(
  tx: Db,
  event: keyof KindDefinition['events'],
  changes: NodeChange[],
  cause: Cause,
) {
  const toData = event === 'deleted' || event === 'purged' ? toFinalState : toEventState;
  for (const kind of kindNames) {
    const events = changes
      .filter(({ after }) => after.kind === kind)
      .map(({ before, after }) => ({
        aggregateId: after.id,
        data: toData(after),
        changes: changesBetween(before, after),
        cause,
      }));
    await appendEvents(tx, kinds[kind].events[event], events);
  }
}

const omittedFields = new Set(['id', 'createdAt', 'updatedAt']);

/** The changed fields with their old and new values, for the audit trail. For a topic's text only its length. */
function changesBetween(before: Node | null, after: Node): Changes {
  const from: Record<string, unknown> = before ? toEventState(before) : {};
  const changes: Changes = {};
  for (const [field, to] of Object.entries(toEventState(after)))
    if (!omittedFields.has(field) && JSON.stringify(from[field] ?? null) !== JSON.stringify(to))
      changes[field] = { from: from[field] ?? null, to };
  if (after.content !== undefined && after.content !== (before?.content ?? null))
    changes.content = { from: lengthOf(before?.content), to: lengthOf(after.content) };
  return changes;
}

const lengthOf = (text: string | null | undefined) => (text == null ? null : `${text.length} characters`);

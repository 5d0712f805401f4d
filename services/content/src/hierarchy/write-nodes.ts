import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { NodeFields } from './create-node.ts';
import { appendNodeEvents } from './events.ts';
import { normalizeEmail } from './presenter.ts';
import { maxPosition, type NewNode, type Node, nodes } from './repository.ts';
import type { Kind } from './table.ts';
import { type NewTreeNode, tree } from './tree-repository.ts';

/** A node to create or update. Its parent exists already. */
export interface NodeToWrite {
  id: string;
  isNew: boolean;
  parentId: string | null;
  /** Fields that are missing keep their values, or get the usual ones. */
  fields: Partial<Omit<NodeFields, 'parentId' | 'mentorId'>> & { name: string };
}

export interface WriteOptions {
  cause: Cause;
  /** The names before this transaction of nodes that were renamed temporarily, by id. */
  formerNames: ReadonlyMap<string, string>;
}

/**
 * Creates and updates nodes of one kind with one statement for all that are new. It requires the exclusive structure lock,
 * and that no name or external id is in use.
 */
export async function writeNodes(tx: Db, kind: Kind, given: NodeToWrite[], { cause, formerNames }: WriteOptions) {
  const parentIds = [...new Set(given.flatMap(({ parentId }) => parentId ?? []))];
  const parents = new Map((await tree(tx).listByIds(parentIds)).map((parent) => [parent.id, parent]));
  const isLive = (parentId: string | null, isActive: boolean) =>
    isActive && (parentId === null || parents.get(parentId)?.isLive === true);
  const nextStored = new Map<string | null, number>();
  const nextGiven = new Map<string | null, number>();
  /** The given position, or the one after those of the stored children of the parent and of the ones before it. */
  const takePosition = async (parentId: string | null, position?: number) => {
    let taken = position;
    const least = nextGiven.get(parentId) ?? 0;
    if (taken === undefined) {
      const stored = nextStored.get(parentId) ?? (await nodes(tx).nextPosition(parentId));
      nextStored.set(parentId, stored);
      taken = Math.max(stored, least);
    }
    nextGiven.set(parentId, Math.min(Math.max(taken + 1, least), maxPosition));
    return taken;
  };

  const created: NewTreeNode[] = [];
  for (const { id, isNew, parentId, fields } of given) {
    if (!isNew) {
      if (fields.position !== undefined) await takePosition(parentId, fields.position);
      continue;
    }
    const { isActive = true, mentorEmail = null, description = '' } = fields;
    created.push({
      ...fields,
      ...{ id, kind, parentId, isActive, description, isLive: isLive(parentId, isActive) },
      ...(kind === 'subject' && { mentorEmail: normalizeEmail(mentorEmail) }),
      position: await takePosition(parentId, fields.position),
    });
  }
  if (created.length > 0) {
    const contents = new Map(created.map(({ id, content }) => [id, content ?? null]));
    const rows = await tree(tx).insertMany(created);
    const changes = rows.map((row) => ({ before: null, after: { ...row, content: contents.get(row.id) ?? null } }));
    await appendNodeEvents(tx, 'created', changes, cause);
  }

  const existing = given.filter(({ isNew }) => !isNew);
  const rows = new Map((await tree(tx).listByIds(existing.map(({ id }) => id))).map((row) => [row.id, row]));
  const changes: { before: Node; after: Node }[] = [];
  for (const { id, parentId, fields } of existing) {
    const row = rows.get(id);
    if (!row) throw new Error(`node ${id} has disappeared`);
    const before = { ...row, name: formerNames.get(id) ?? row.name };
    const change = changeOf(before, parentId, fields);
    if (Object.keys(change).length === 0 && before.name === row.name) continue;
    const isMoved = change.parentId !== undefined;
    if (isMoved && fields.position === undefined) change.position = await takePosition(parentId);
    if (isMoved || change.isActive !== undefined) change.isLive = isLive(parentId, change.isActive ?? before.isActive);
    const after = await nodes(tx).update(id, { name: before.name, ...change });
    if (after.isLive !== before.isLive) await tree(tx).refreshIsLive(id);
    changes.push({ before, after: { ...after, content: change.content ?? before.content ?? null } });
  }
  await appendNodeEvents(tx, 'updated', changes, cause);
  return { created: created.length, updated: changes.length, unchanged: existing.length - changes.length };
}

function changeOf(before: Node, parentId: string | null, { mentorEmail, ...fields }: NodeToWrite['fields']) {
  const change: Partial<NewNode> = {};
  const current: Record<string, unknown> = before;
  for (const [field, value] of Object.entries(fields))
    if (value !== undefined && value !== current[field]) Object.assign(change, { [field]: value });
  if (parentId !== before.parentId) change.parentId = parentId;
  const email = mentorEmail === undefined ? before.mentorEmail : normalizeEmail(mentorEmail);
  // The id would belong to the former mentor.
  if (email !== before.mentorEmail) Object.assign(change, { mentorEmail: email, mentorId: null });
  return change;
}

import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { NodeFields } from './create-node.ts';
import { withNameConflict } from './errors.ts';
import { appendNodeEvents } from './events.ts';
import { isParentLive } from './get-parent.ts';
import { type Node, nodes } from './repository.ts';
import type { Kind } from './table.ts';
import { tree } from './tree-repository.ts';

export interface Target {
  kind: Kind;
  id: string;
  /** Throws unless the node is still as the caller knows it. */
  checkVersion: (node: Node) => void;
}

export type NodeUpdate = Partial<NodeFields>;

/**
 * Changes a node; a new `parentId` moves it, with all that hangs below, to the end of the other parent's children.
 * @throws NOT_FOUND for the node or the new parent; CONFLICT when the name is taken there
 */
export async function updateNode(db: Db, { kind, id, checkVersion }: Target, change: NodeUpdate, cause: Cause) {
  const isStructural = change.parentId !== undefined || change.isActive !== undefined;
  return withNameConflict(kind, (setName) =>
    db.transaction(async (tx) => {
      const repository = nodes(tx);
      await (isStructural ? repository.lockStructure() : repository.lockStructureShared());
      const before = await repository.getForUpdate(kind, id);
      checkVersion(before);
      setName(change.name ?? before.name);
      const row = await repository.update(id, { ...change, ...(isStructural && (await place(tx, before, change))) });
      if (row.isLive !== before.isLive) await tree(tx).refreshIsLive(id);
      const after = { ...row, content: change.content ?? before.content };
      await appendNodeEvents(tx, 'updated', [{ before, after }], cause);
      return after;
    }),
  );
}

/** What follows from a new parent or another `isActive`. */
async function place(
  tx: Db,
  before: Node,
  { parentId = before.parentId, isActive = before.isActive, position }: NodeUpdate,
) {
  const parentIsLive = await isParentLive(tx, before.kind, parentId);
  const moves = parentId !== before.parentId && position === undefined;
  return {
    isLive: isActive && parentIsLive,
    ...(moves && { position: await nodes(tx).nextPosition(parentId) }),
  };
}

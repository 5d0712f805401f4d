import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import type { NodeFields } from './create-node.ts';
import { refusingTakenNames } from './errors.ts';
import { isParentLive } from './place-node.ts';
import { type Node, nodes } from './repository.ts';
import type { Kind } from './table.ts';
import { tell } from './tell.ts';
import { tree } from './tree-repository.ts';

export interface Target {
  kind: Kind;
  id: string;
  /** Throws unless the node is still as the caller knows it. */
  expect: (node: Node) => void;
}

export type NodeChange = Partial<NodeFields>;

/**
 * Changes a node; a new `parentId` moves it, with all that hangs below, to the end of the other parent's children.
 * @throws NOT_FOUND for the node or the new parent; CONFLICT when the name is taken there
 */
export async function updateNode(db: Db, { kind, id, expect }: Target, change: NodeChange, cause: Cause) {
  const isStructural = change.parentId !== undefined || change.isActive !== undefined;
  return refusingTakenNames(kind, (naming) =>
    db.transaction(async (tx) => {
      const room = nodes(tx);
      await (isStructural ? room.changeStructure() : room.holdStructure());
      const before = await room.getForUpdate(kind, id);
      expect(before);
      naming(change.name ?? before.name);
      const row = await room.update(id, { ...change, ...(isStructural && (await place(tx, before, change))) });
      if (row.isLive !== before.isLive) await tree(tx).refreshLiveness(id);
      const after = { ...row, content: change.content ?? before.content };
      await tell(tx, 'updated', [{ before, after }], cause);
      return after;
    }),
  );
}

/** What follows from a new parent or another `isActive`. */
async function place(
  tx: Db,
  before: Node,
  { parentId = before.parentId, isActive = before.isActive, position }: NodeChange,
) {
  const parentIsLive = await isParentLive(tx, before.kind, parentId);
  const moves = parentId !== before.parentId && position === undefined;
  return {
    isLive: isActive && parentIsLive,
    ...(moves && { position: await nodes(tx).nextPosition(parentId) }),
  };
}

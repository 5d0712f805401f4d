import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { notFound, refusingTakenNames } from './errors.ts';
import { kinds } from './kinds.ts';
import { nodes } from './repository.ts';
import type { Kind } from './table.ts';
import { tell } from './tell.ts';

export interface NodeInput {
  name: string;
  description: string;
  parentId: string | null;
  imageUrl?: string | null;
  level?: 'primary' | 'secondary' | 'higher';
  mentorId?: string | null;
  mentorEmail?: string | null;
  content?: string;
  isActive?: boolean;
  position?: number;
}

/**
 * Adds a node under its parent, last unless a position is given.
 * @throws NOT_FOUND when the parent is missing, deleted or of another kind; CONFLICT when the name is taken there
 */
export async function createNode(db: Db, kind: Kind, input: NodeInput, cause: Cause) {
  return refusingTakenNames(kind, input.name, () =>
    db.transaction(async (tx) => {
      const room = nodes(tx);
      await room.holdStructure();
      const parentIsLive = await isParentLive(tx, kind, input.parentId);
      const isActive = input.isActive ?? true;
      const row = await room.insert({
        ...input,
        kind,
        isActive,
        isLive: isActive && parentIsLive,
        position: input.position ?? (await room.nextPosition(kind, input.parentId)),
      });
      const node = { ...row, content: input.content ?? null };
      await tell(tx, { event: 'created', before: null, after: node }, cause);
      return node;
    }),
  );
}

async function isParentLive(tx: Db, kind: Kind, parentId: string | null): Promise<boolean> {
  const parentKind = kinds[kind].parent;
  if (parentKind === null) return true;
  const parent = parentId === null ? undefined : await nodes(tx).findAny(parentKind, parentId);
  if (!parent || parent.deletedAt !== null) throw new notFound[parentKind]();
  return parent.isLive;
}

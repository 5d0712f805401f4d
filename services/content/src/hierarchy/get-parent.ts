import type { Db } from '@lms/database/connect';
import { notFound } from './errors.ts';
import { kinds } from './kinds.ts';
import { nodes } from './repository.ts';
import type { Kind } from './table.ts';

/**
 * Looks at the parent that a node is to hang under; levels hang under none.
 * @throws NOT_FOUND when it is missing, deleted or of another kind
 */
export async function isParentLive(tx: Db, kind: Kind, parentId: string | null): Promise<boolean> {
  const parentKind = kinds[kind].parent;
  if (parentKind === null) return true;
  if (parentId === null) throw new notFound[parentKind]();
  const parent = await nodes(tx).get(parentKind, parentId);
  return parent.isLive;
}

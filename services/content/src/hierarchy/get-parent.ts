import type { Db } from '@lms/database/connect';
import { notFound } from './errors.ts';
import { kinds } from './kinds.ts';
import { type Node, nodes } from './repository.ts';
import type { Kind } from './table.ts';

/**
 * The parent of a node of this kind; null for levels, which have none.
 * @throws NOT_FOUND if it is missing, deleted or of another kind
 */
export async function getParent(tx: Db, kind: Kind, parentId: string | null): Promise<Node | null> {
  const parentKind = kinds[kind].parent;
  if (parentKind === null) return null;
  if (parentId === null) throw new notFound[parentKind]();
  return nodes(tx).get(parentKind, parentId);
}

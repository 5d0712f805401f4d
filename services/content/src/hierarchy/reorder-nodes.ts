import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { type FieldIssue, invalid } from '@lms/service/problems';
import { appendNodeEvents } from './events.ts';
import { getParent } from './get-parent.ts';
import { kinds } from './kinds.ts';
import { nodes } from './repository.ts';
import type { Kind } from './table.ts';
import { tree } from './tree-repository.ts';

export interface Order {
  parentId: string | null;
  ids: string[];
}

/**
 * Puts all children of a parent in the given order.
 * @throws NOT_FOUND for the parent; VALIDATION_ERROR with one issue per missing, duplicate or unrelated id
 */
export async function reorderNodes(db: Db, kind: Kind, { parentId, ids }: Order, cause: Cause) {
  return db.transaction(async (tx) => {
    await nodes(tx).lockStructure();
    if (kinds[kind].parent === null && parentId !== null)
      throw invalid({ field: 'parentId', message: 'must be null', value: parentId });
    await getParent(tx, kind, parentId);
    const children = await tree(tx).listChildren(parentId);
    const before = new Map(children.map((child) => [child.id, child]));
    const [first, ...rest] = problemsOf(ids, before);
    if (first) throw invalid(first, ...rest);
    const moved = await tree(tx).setPositions(ids);
    const changes = moved.map((after) => ({ before: before.get(after.id) ?? null, after }));
    await appendNodeEvents(tx, 'updated', changes, cause);
    return { parentId, ids };
  });
}

function problemsOf(ids: string[], children: ReadonlyMap<string, unknown>): FieldIssue[] {
  const given = new Set(ids);
  const seen = new Set<string>();
  const wrong = ids.flatMap((id, index): FieldIssue[] => {
    const isDuplicate = seen.has(id);
    seen.add(id);
    if (isDuplicate) return [{ field: `ids.${index}`, message: 'is a duplicate', value: id }];
    return children.has(id) ? [] : [{ field: `ids.${index}`, message: 'is not a child of this parent', value: id }];
  });
  const missing = [...children.keys()].filter((id) => !given.has(id));
  return [...wrong, ...missing.map((id) => ({ field: 'ids', message: 'is missing', value: id }))];
}

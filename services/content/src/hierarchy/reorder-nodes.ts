import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { type FieldIssue, invalid } from '@lms/service/problems';
import { appendNodeEvents } from './events.ts';
import { isParentLive } from './get-parent.ts';
import { nodes } from './repository.ts';
import type { Kind } from './table.ts';
import { tree } from './tree-repository.ts';

export interface Order {
  parentId: string | null;
  ids: string[];
}

/**
 * Puts all children of a parent in the given order.
 * @throws NOT_FOUND for the parent; VALIDATION_ERROR that names every id that is missing, foreign or doubled
 */
export async function reorderNodes(db: Db, kind: Kind, { parentId, ids }: Order, cause: Cause) {
  return db.transaction(async (tx) => {
    await nodes(tx).lockStructure();
    await isParentLive(tx, kind, parentId);
    const children = await tree(tx).children(parentId);
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
  const named = new Set(ids);
  const seen = new Set<string>();
  const given = ids.flatMap((id, index): FieldIssue[] => {
    const isDoubled = seen.has(id);
    seen.add(id);
    if (isDoubled) return [{ field: `ids.${index}`, message: 'is named twice', value: id }];
    return children.has(id) ? [] : [{ field: `ids.${index}`, message: 'is no child of this parent', value: id }];
  });
  const missing = [...children.keys()].filter((id) => !named.has(id));
  return [...given, ...missing.map((id) => ({ field: 'ids', message: 'is missing', value: id }))];
}

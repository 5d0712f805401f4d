import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { withNameConflict } from './errors.ts';
import { appendNodeEvents } from './events.ts';
import { isParentLive } from './get-parent.ts';
import { nodes } from './repository.ts';
import type { Kind } from './table.ts';

/** What can be said of a node, whatever its kind; the wire's schemas see to it that each kind gets its own. */
export interface NodeFields {
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
export async function createNode(db: Db, kind: Kind, fields: NodeFields, cause: Cause) {
  return withNameConflict(kind, (setName) =>
    db.transaction(async (tx) => {
      const repository = nodes(tx);
      setName(fields.name);
      await repository.lockStructureShared();
      const parentIsLive = await isParentLive(tx, kind, fields.parentId);
      const isActive = fields.isActive ?? true;
      const row = await repository.insert({
        ...fields,
        kind,
        isActive,
        isLive: isActive && parentIsLive,
        position: fields.position ?? (await repository.nextPosition(fields.parentId)),
      });
      const node = { ...row, content: fields.content ?? null };
      await appendNodeEvents(tx, 'created', [{ before: null, after: node }], cause);
      return node;
    }),
  );
}

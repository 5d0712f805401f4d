import type { Db } from '@lms/database/connect';
import type { Cause } from '@lms/events/append-event';
import { withConflict } from './errors.ts';
import { appendNodeEvents } from './events.ts';
import { getParent } from './get-parent.ts';
import { nodes } from './repository.ts';
import type { Kind } from './table.ts';

/** The fields of all kinds; the request schemas allow each kind only its own. */
export interface NodeFields {
  name: string;
  externalId?: string | null;
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
 * Creates a node under its parent, in the last position unless one is given.
 * @throws NOT_FOUND if the parent is missing, deleted or of another kind; CONFLICT if the name or the external id is in use
 */
export async function createNode(db: Db, kind: Kind, fields: NodeFields, cause: Cause) {
  return withConflict(kind, (setUnique) =>
    db.transaction(async (tx) => {
      const repository = nodes(tx);
      setUnique(fields);
      await repository.lockStructureShared();
      const parent = await getParent(tx, kind, fields.parentId);
      const isActive = fields.isActive ?? true;
      if (fields.position === undefined) await repository.lockPositions(fields.parentId);
      const row = await repository.insert({
        ...fields,
        kind,
        isActive,
        isLive: isActive && (parent?.isLive ?? true),
        position: fields.position ?? (await repository.nextPosition(fields.parentId)),
      });
      const node = { ...row, content: fields.content ?? null };
      await appendNodeEvents(tx, 'created', [{ before: null, after: node }], cause);
      return node;
    }),
  );
}

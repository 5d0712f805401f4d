import type { Db } from '@lms/database/connect';
import { appendEvents } from '@lms/events/append-event';
import type { LostEvent } from '@lms/events/restored-database';
import { Value } from '@sinclair/typebox/value';
import { appendNodeEvents } from './events.ts';
import { kinds } from './kinds.ts';
import { nodes } from './repository.ts';
import { kindNames } from './table.ts';

/**
 * After this database was restored to an earlier moment: publishes the current state of the nodes that had changed since.
 * A node that it does not contain any more is purged in all services.
 */
export async function publishCurrentNodes(tx: Db, lost: LostEvent[]) {
  for (const kind of kindNames) {
    const { purged } = kinds[kind].events;
    for (const { aggregateId, data } of lost.filter(({ type }) => type.startsWith(`content.${kind}.`))) {
      const node = await nodes(tx).findWithDeleted(kind, aggregateId);
      if (node) await appendNodeEvents(tx, node.deletedAt ? 'deleted' : 'updated', [{ before: node, after: node }], {});
      else {
        const state = { ...Object(data), isActive: false, deletedAt: new Date().toISOString() };
        if (Value.Check(purged.data, state)) await appendEvents(tx, purged, [{ aggregateId, data: state }]);
      }
    }
  }
}

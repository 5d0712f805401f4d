import type { Db } from '@lms/database/connect';
import { appendEvents } from '@lms/events/append-event';
import type { LostEvent } from '@lms/events/restored-database';
import { Value } from '@sinclair/typebox/value';
import { appendNodeEvents } from './events.ts';
import { kinds } from './kinds.ts';
import { nodes } from './repository.ts';
import { kindNames } from './table.ts';

/**
 * Publishes the current state of nodes whose last events were lost when this database was restored to an earlier moment, or
 * are to be erased. A node that the database does not contain any more is purged in all services.
 */
export async function publishCurrentNodes(tx: Db, lost: LostEvent[]) {
  for (const kind of kindNames) {
    const { purged } = kinds[kind].events;
    for (const { aggregateId, data } of lost.filter(({ type }) => type.startsWith(`content.${kind}.`))) {
      const node = await nodes(tx).findWithDeleted(kind, aggregateId);
      if (node) await appendNodeEvents(tx, node.deletedAt ? 'deleted' : 'updated', [{ before: node, after: node }], {});
      else {
        const withoutMentor = kind === 'subject' ? { mentorId: null } : {};
        const state = { ...Object(data), ...withoutMentor, isActive: false, deletedAt: new Date().toISOString() };
        if (Value.Check(purged.data, state)) await appendEvents(tx, purged, [{ aggregateId, data: state }]);
      }
    }
  }
}

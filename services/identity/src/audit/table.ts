import type { Changes } from '@lms/contracts/events/definition';
import { id, instant } from '@lms/database/columns';
import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';

/** Changes by admins, in this service and the other services. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: id(),
    actorId: text().notNull(),
    action: text().notNull(),
    entity: text().notNull(),
    entityId: text().notNull(),
    changes: jsonb().$type<Changes>().notNull(),
    requestId: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    index('audit_entries_created').on(table.createdAt, table.id),
    index('audit_entries_actor').on(table.actorId, table.createdAt, table.id),
    index('audit_entries_entity').on(table.entity, table.entityId, table.createdAt, table.id),
    index('audit_entries_entity_id').on(table.entityId, table.createdAt, table.id),
    index('audit_entries_action').on(table.action, table.createdAt, table.id),
    // For `search`, which matches any part of these columns.
    index('audit_entries_texts').using(
      'gin',
      table.action.op('gin_trgm_ops'),
      table.entity.op('gin_trgm_ops'),
      table.entityId.op('gin_trgm_ops'),
      table.actorId.op('gin_trgm_ops'),
      table.requestId.op('gin_trgm_ops'),
    ),
  ],
);

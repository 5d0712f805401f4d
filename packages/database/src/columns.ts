import { createId } from '@paralleldrive/cuid2';
import { text, timestamp } from 'drizzle-orm/pg-core';

export { createId };

/** A primary key that the service generates (cuid2). */
export const id = () => text().primaryKey().$defaultFn(createId);

/** A timestamp with milliseconds, the precision of JSON responses. */
export const instant = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' });

export const timestamps = {
  createdAt: instant().notNull().defaultNow(),
  updatedAt: instant()
    .notNull()
    .defaultNow()
    .$onUpdateFn(() => new Date()),
};

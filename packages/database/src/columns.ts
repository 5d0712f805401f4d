import { randomFillSync } from 'node:crypto';
import { init } from '@paralleldrive/cuid2';
import { type SQL, sql } from 'drizzle-orm';
import { text, timestamp } from 'drizzle-orm/pg-core';
import type { Sortable } from './paging.ts';

const integers = new Uint32Array(1_024);
let used = integers.length;

/** Like `Math.random`, but not predictable; a thousand numbers at a time, because each call of the generator takes longer than an id. */
function random() {
  if (used === integers.length) {
    randomFillSync(integers);
    used = 0;
  }
  const integer = integers[used] ?? 0;
  used += 1;
  return integer / 2 ** 32;
}

export const createId = init({ random });

/** A primary key that the service generates (cuid2). */
export const id = () => text().primaryKey().$defaultFn(createId);

/** A timestamp with milliseconds, the precision of JSON responses. */
export const instant = () => timestamp({ withTimezone: true, precision: 3, mode: 'date' });

export const timestamps = {
  createdAt: instant().notNull().defaultNow(),
  updatedAt: instant()
    .notNull()
    .defaultNow()
    .$onUpdateFn(() => sql`clock_timestamp()`),
};

/** PostgreSQL's text of an instant in UTC, such as `2026-11-22 08:30:00.5+00`, in ISO 8601 with milliseconds. */
const toIso = (value: string) => `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(3, '0')}Z`;

/**
 * Selects an instant as the text of JSON responses. For long lists: a `Date` in between takes twenty times as long. The
 * sessions of `connect` have the time zone UTC.
 */
export const isoText = (instant: Sortable): SQL<string> => sql`${instant}`.mapWith(toIso);
/** As `isoText`, for a column that can be null. */
export const nullableIsoText = (instant: Sortable): SQL<string | null> => isoText(instant);

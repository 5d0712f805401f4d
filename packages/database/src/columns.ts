import { randomFillSync } from 'node:crypto';
import { init } from '@paralleldrive/cuid2';
import { text, timestamp } from 'drizzle-orm/pg-core';

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
    .$onUpdateFn(() => new Date()),
};

import { defineEvent } from '@lms/contracts/events/definition';
import type { Db } from '@lms/database/connect';
import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'drizzle-orm';

export const Thing = Type.Object({ id: Type.String(), n: Type.Integer() });
export const thingChanged = defineEvent('test.thing.changed', Thing);
export const thingSubjects = 'lms.test.thing.*.v1';

/** The effect of a handler, in its transaction. */
export const recordEffect = (tx: Db, { id, n }: Static<typeof Thing>) =>
  tx.execute(sql`insert into effects (id, n) values (${id}, ${n})`);

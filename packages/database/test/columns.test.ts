import { mock } from 'node:test';
import { eq } from 'drizzle-orm';
import t from 'tap';
import { isoText, nullableIsoText } from '../src/columns.ts';
import { openThings, things } from './things.ts';

t.test('instants are selected as the text of JSON responses', async (t) => {
  const { db } = await openThings(t);
  const texts = ['2026-11-22T08:30:00.000Z', '2026-11-22T08:30:00.500Z', '1999-12-31T23:59:59.999Z', null];
  await db.insert(things).values(texts.map((text) => ({ name: String(text), due: text ? new Date(text) : null })));
  const rows = await db
    .select({ name: things.name, due: nullableIsoText(things.due), createdAt: isoText(things.createdAt) })
    .from(things);
  for (const text of texts) t.equal(rows.find(({ name }) => name === String(text))?.due, text);
  for (const { createdAt } of rows) t.equal(createdAt, new Date(createdAt).toISOString());
});

t.test('the time of an update does not depend on the clock of the process', async (t) => {
  const { db } = await openThings(t);
  await db.insert(things).values({ name: 'late' });
  mock.timers.enable({ apis: ['Date'], now: 0 });
  t.teardown(() => mock.timers.reset());
  const rows = await db.update(things).set({ name: 'later' }).where(eq(things.name, 'late')).returning();
  t.equal(rows.length, 1);
  for (const { createdAt, updatedAt } of rows)
    t.ok(updatedAt >= createdAt, `${updatedAt.toISOString()} is not before ${createdAt.toISOString()}`);
});

import { and } from 'drizzle-orm';
import t from 'tap';
import {
  containsText,
  type DateRange,
  inDateRange,
  orderByColumns,
  readPage,
  type SortRequest,
} from '../src/paging.ts';
import { openThings, things } from './things.ts';

type Sort = SortRequest<'name' | 'createdAt' | 'due'>;
const columns = { name: things.name, createdAt: things.createdAt, due: things.due };

t.test('pages never overlap and skip nothing, also if sort values are equal or null', async (t) => {
  const { db } = await openThings(t);
  await db.delete(things);
  const due = (n: number) => (n % 3 === 0 ? null : new Date(n % 2 ? 1_000 : 2_000));
  const rows = Array.from({ length: 57 }, (_, n) => ({ name: `name ${n}`, due: due(n), createdAt: new Date(0) }));
  await db.insert(things).values(rows);
  for (const sort of ['name', 'createdAt', 'due'] as const)
    for (const order of ['asc', 'desc'] as const) {
      const seen: string[] = [];
      for (let page = 1; page <= 6; page += 1) {
        const request: Sort = { page, limit: 10, sort, order };
        const ordered = db
          .select()
          .from(things)
          .orderBy(...orderByColumns(request, columns, things.id));
        const { items, total } = await readPage(request, ordered, db.$count(things));
        t.equal(total, 57);
        seen.push(...items.map(({ id }) => id));
      }
      t.equal(seen.length, 57, `${sort} ${order}`);
      t.equal(new Set(seen).size, 57);
    }
});

t.test('tie breakers apply in order, and the id comes last', async (t) => {
  const { db } = await openThings(t);
  await db.delete(things);
  await db.insert(things).values([
    { id: 'c', name: 'one', createdAt: new Date(0) },
    { id: 'b', name: 'two', createdAt: new Date(0) },
    { id: 'a', name: 'three', createdAt: new Date(5) },
  ]);
  const ids = async (sort: Sort['sort'], order: Sort['order'], ...ties: (typeof things.name)[]) => {
    const request = { page: 1, limit: 10, sort, order };
    const found = await db
      .select()
      .from(things)
      .orderBy(...orderByColumns(request, columns, things.id, ...ties));
    return found.map(({ id }) => id).join('');
  };
  t.equal(await ids('createdAt', 'asc'), 'bca');
  t.equal(await ids('createdAt', 'desc'), 'acb');
  t.equal(await ids('createdAt', 'asc', things.name), 'cba');
  t.equal(await ids('name', 'desc', things.name), 'bac');
});

t.test('a search treats all characters literally and ignores case', async (t) => {
  const { db } = await openThings(t);
  const names = ['100 %', '100 x', 'a_b', 'axb', 'back\\slash', 'backslash', 'ÄRGER', "O'Neil", '[x]*'];
  await db.insert(things).values(names.map((name) => ({ name })));
  const found = async (text: string) =>
    (
      await db
        .select()
        .from(things)
        .where(containsText(text, things.name, things.id))
    ).map(({ name }) => name);
  t.same(await found('%'), ['100 %']);
  t.same(await found('_'), ['a_b']);
  t.same(await found('\\'), ['back\\slash']);
  t.same(await found('ärger'), ['ÄRGER']);
  t.same(await found("o'n"), ["O'Neil"]);
  t.same(await found('*'), ['[x]*']);
  t.same(await found('%%'), []);
  t.equal(containsText(undefined, things.name), undefined);
});

t.test('ranges include both ends, to the millisecond, and a date covers the whole day', async (t) => {
  const { db } = await openThings(t);
  await db.delete(things);
  const at = (time: string) => new Date(`2026-01-${time}Z`);
  const days = ['30T23:59:59.999', '31T00:00:00.000', '31T12:00:00.123', '31T23:59:59.999'];
  await db.insert(things).values(days.map((time) => ({ name: time, createdAt: at(time), updatedAt: at('15T00:00') })));
  const found = async (range: DateRange) =>
    (
      await db
        .select()
        .from(things)
        .where(and(...inDateRange(range, things)))
    )
      .map(({ name }) => days.indexOf(name))
      .sort();
  t.same(await found({}), [0, 1, 2, 3]);
  t.same(await found({ createdFrom: '2026-01-31T12:00:00.123Z' }), [2, 3]);
  t.same(await found({ createdFrom: '2026-01-31T12:00:00.124Z' }), [3]);
  t.same(await found({ createdTo: '2026-01-31T12:00:00.123Z' }), [0, 1, 2]);
  t.same(await found({ createdTo: '2026-01-31T12:00:00.122Z' }), [0, 1]);
  t.same(await found({ createdFrom: '2026-01-31', createdTo: '2026-01-31' }), [1, 2, 3]);
  t.same(await found({ createdTo: '2026-01-31T01:00:00+01:00' }), [0, 1]);
  t.same(await found({ updatedFrom: '2026-01-15', updatedTo: '2026-01-15' }), [0, 1, 2, 3]);
  t.same(await found({ updatedTo: '2026-01-14' }), []);
});

t.test('the last page that can be requested is empty and does not fail', async (t) => {
  const { db } = await openThings(t);
  const request = { page: 1_000_000_000, limit: 100 };
  t.same((await readPage(request, db.select().from(things).orderBy(things.id), db.$count(things))).items, []);
});

t.test('the first and last timestamps that can be requested do not fail', async (t) => {
  const { db } = await openThings(t);
  for (const text of ['0001-01-01', '9999-12-31', '0001-01-01T00:00:00-14:00', '9999-12-31T23:59:59.999Z']) {
    const range = { createdFrom: text, createdTo: text, updatedFrom: text, updatedTo: text };
    t.same(
      await db
        .select()
        .from(things)
        .where(and(...inDateRange(range, things))),
      [],
      text,
    );
  }
});

import t from 'tap';
import { isId } from '../src/ids.ts';
import { paginate } from '../src/pages.ts';

t.test('an empty list has no pages', async (t) => {
  t.same(paginate({ page: 1, limit: 20 }, 0), {
    page: 1,
    limit: 20,
    total: 0,
    pages: 0,
    hasNext: false,
    hasPrev: false,
  });
});

t.test('the last page has a previous page and no next page', async (t) => {
  t.same(paginate({ page: 3, limit: 20 }, 41), {
    page: 3,
    limit: 20,
    total: 41,
    pages: 3,
    hasNext: false,
    hasPrev: true,
  });
});

t.test('a page past the end has no next page', async (t) => {
  t.match(paginate({ page: 9, limit: 20 }, 41), { hasNext: false, hasPrev: true });
});

t.test('an id has 24 lower-case characters and starts with a letter', async (t) => {
  t.ok(isId('tz4a98xxat96iws9zmbrgj3a'));
  for (const impossible of [
    '',
    '1z4a98xxat96iws9zmbrgj3a',
    'TZ4A98XXAT96IWS9ZMBRGJ3A',
    'tz4a98xxat96iws9zmbrgj3a\n',
    'short',
    null,
    7,
  ])
    t.notOk(isId(impossible), String(impossible));
});

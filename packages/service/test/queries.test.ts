import t from 'tap';
import { buildServer } from './build-server.ts';

t.test('numbers, booleans and lists are parsed', async (t) => {
  const { app } = buildServer(t);
  const url = '/things?page=2&limit=10&isActive=false&ratio=-0.5&status=A&status=B&order=desc&search=%20x%20&unknown=1';
  const [query] = (await app.inject(url)).json().data;
  t.same(query, {
    page: 2,
    limit: 10,
    sort: 'name',
    order: 'desc',
    isActive: false,
    ratio: -0.5,
    status: ['A', 'B'],
    search: 'x',
  });
  t.same((await app.inject('/things?status=B')).json().data[0].status, ['B']);
});

t.test('missing parameters get their defaults', async (t) => {
  const { app } = buildServer(t);
  t.same((await app.inject('/things')).json().data[0], { page: 1, limit: 20, sort: 'name', order: 'asc' });
});

t.test('an invalid query is a 422 that names the field, never a 500', async (t) => {
  const { app } = buildServer(t);
  const queries = [
    'page=0',
    'page=-1',
    'page=1.5',
    'page=',
    'page',
    'page=%205',
    'page=5%20',
    'page=+5',
    'page=1e1',
    'page=0x10',
    'page=0b1',
    'page=NaN',
    'page=Infinity',
    'page=null',
    'page=true',
    'page=1&page=2',
    'page=99999999999999999999',
    'page=1000000001',
    'page=１',
    'page=1%00',
    'limit=0',
    'limit=101',
    'limit=1_0',
    'sort=password',
    'sort=name&sort=createdAt',
    'sort=__proto__',
    'sort=',
    'order=up',
    'order=ASC',
    'search=',
    'search=%20%20',
    `search=${'x'.repeat(101)}`,
    'search=%00',
    'search=a&search=b',
    'isActive=yes',
    'isActive=1',
    'isActive=TRUE',
    'isActive=',
    'ratio=1e3',
    'ratio=.5',
    'status=C',
    'status=A&status=C',
    'createdFrom=yesterday',
    'createdFrom=2026-02-30',
    'createdFrom=0000-01-01',
    'createdTo=2026-01-01T00:00:00',
    'updatedTo=2026-13-01',
    'updatedFrom=',
    'createdFrom=2026-01-01&createdFrom=2026-01-02',
  ];
  for (const query of queries) {
    const response = await app.inject(`/things?${query}`);
    t.equal(response.statusCode, 422, query);
    const field = query.split('=')[0] ?? '';
    t.match(response.json(), { code: 'VALIDATION_ERROR', details: { field, issues: [{ field }] } }, query);
  }
});

t.test('timestamps are dates, or times with an offset', async (t) => {
  const { app } = buildServer(t);
  for (const text of ['2026-01-31', '2026-01-31T12:00:00.123Z', '2026-01-31T12:00:00%2B02:00'])
    t.equal((await app.inject(`/things?createdFrom=${text}`)).statusCode, 200, text);
  const [plain] = (await app.inject('/things?createdFrom=2026-01-31T12:00:00+02:00')).json().data;
  t.equal(plain.createdFrom, '2026-01-31T12:00:00+02:00', 'a plus need not be escaped');
  t.equal((await app.inject('/things?createdFrom=2026-01-31+12:00')).statusCode, 422);
  t.equal((await app.inject('/things?createdFrom=2026-01-31T12:00:00+0+02:00')).statusCode, 422);
});

t.test('parameters named like Object.prototype members are ignored', async (t) => {
  const { app } = buildServer(t);
  for (const query of ['__proto__=1', 'constructor=1', 'toString=1', '__proto__[page]=7'])
    t.same((await app.inject(`/things?${query}`)).json().data[0], { page: 1, limit: 20, sort: 'name', order: 'asc' });
});

t.test('escaped bytes that are not UTF-8 are a 422, and other percent signs stand for themselves', async (t) => {
  const { app } = buildServer(t);
  for (const value of ['%ff%fe', '%ED%A0%80', 'x%c3', '%C3%28', '100%&order=%80']) {
    const response = await app.inject(`/things?search=${value}`);
    t.equal(response.statusCode, 422, value);
    const field = value.includes('order') ? 'order' : 'search';
    const [escaped = ''] = value.split('=').slice(-1);
    t.match(response.json().details, { field, message: 'must be well-formed Unicode', value: escaped });
  }
  for (const value of ['100%', '%zz', '%e2%82%ac', '%25ED%25A0%2580', '%F0%9F%98%80'])
    t.equal((await app.inject(`/things?search=${value}`)).statusCode, 200, value);
});

t.test('a list links to its neighbouring pages', async (t) => {
  const links = async (url: string, total: number) => (await buildServer(t, total).app.inject(url)).headers.link;
  t.equal(
    await links('/things?limit=20&page=2&search=a%20%26b', 45),
    [
      '</things?limit=20&page=1&search=a+%26b>; rel="first"',
      '</things?limit=20&page=1&search=a+%26b>; rel="prev"',
      '</things?limit=20&page=3&search=a+%26b>; rel="next"',
      '</things?limit=20&page=3&search=a+%26b>; rel="last"',
    ].join(', '),
  );
  t.equal(await links('/things', 0), '</things?page=1>; rel="first", </things?page=1>; rel="last"');
  t.equal(
    await links('/things?page=9', 45),
    '</things?page=1>; rel="first", </things?page=3>; rel="prev", </things?page=3>; rel="last"',
  );
});

t.test('links that would make the headers exceed 8 KiB are dropped, next is dropped last', async (t) => {
  const { app } = buildServer(t, 100);
  const relationsOf = async (bytes: number, letter = 'x') => {
    const { statusCode, headers } = await app.inject(`/things?page=2&unknown=${letter.repeat(bytes)}`);
    t.equal(statusCode, 200, `${bytes} bytes of ${letter}`);
    const size = Object.entries(headers).reduce((sum, [name, value]) => sum + `${name}: ${value}\r\n`.length, 0);
    t.ok(size < 6_656, `${bytes} bytes of ${letter}: ${size} bytes of headers`);
    return [...String(headers.link ?? '').matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel);
  };
  t.same(await relationsOf(1_400), ['first', 'prev', 'next', 'last']);
  t.same(await relationsOf(1_900), ['first', 'prev', 'next']);
  t.same(await relationsOf(2_900), ['prev', 'next']);
  t.same(await relationsOf(5_900), ['next']);
  t.same(await relationsOf(8_100), []);
  t.same(await relationsOf(2_900, '~'), [], 'escaped characters count three bytes');
});

t.test('a list reports its totals', async (t) => {
  const { app } = buildServer(t, 45);
  const pagination = async (query: string) => (await app.inject(`/things?${query}`)).json().pagination;
  t.same(await pagination('page=3'), { page: 3, limit: 20, total: 45, pages: 3, hasNext: false, hasPrev: true });
  t.same(await pagination('page=4'), { page: 4, limit: 20, total: 45, pages: 3, hasNext: false, hasPrev: true });
  t.same(await pagination('limit=45'), { page: 1, limit: 45, total: 45, pages: 1, hasNext: false, hasPrev: false });
});

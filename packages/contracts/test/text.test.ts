import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import t from 'tap';
import { userCreated } from '../src/events/identity.ts';
import { isInstant, isWebUrl } from '../src/formats.ts';
import { EnrollmentAccess } from '../src/internal/enrollment.ts';
import { Principal } from '../src/passport.ts';
import { Nullable, OneOf, Timestamp } from '../src/text.ts';

const id = 'tz4a98xxat96iws9zmbrgj3a';
const time = '2026-01-31T12:00:00.000Z';
const principal = {
  userId: id,
  identityProviderId: 'idp_1',
  email: 'a@lms.test',
  emailVerified: true,
  firstName: null,
  lastName: 'Last',
  roles: ['LEARNER'],
  status: 'ACTIVE',
  plan: 'FREE',
};

t.test('a nullable accepts null and valid values only', async (t) => {
  const cases: [ReturnType<typeof Nullable>, unknown, unknown][] = [
    [Nullable(Type.String({ maxLength: 3 })), 'abc', 'abcd'],
    [Nullable(Timestamp()), time, 'yesterday'],
    [Nullable(Type.Integer({ minimum: 1 })), 1, 0],
    [Nullable(OneOf(['a', 'b'])), 'b', 'c'],
    [Nullable(Type.Object({ a: Type.String() })), { a: '' }, { a: 1 }],
    [Nullable(Type.Array(Type.String())), ['a'], [1]],
  ];
  for (const [schema, good, bad] of cases) {
    t.ok(Value.Check(schema, null), `null for ${JSON.stringify(schema)}`);
    t.ok(Value.Check(schema, good), JSON.stringify(good));
    t.notOk(Value.Check(schema, bad), JSON.stringify(bad));
    t.notOk(Value.Check(schema, undefined));
  }
});

t.test('a nullable serializes as a list of types', async (t) => {
  t.same(JSON.parse(JSON.stringify(Nullable(OneOf(['a'], { title: 'A' })))), {
    type: ['string', 'null'],
    enum: ['a', null],
    title: 'A',
  });
});

t.test('principals, internal responses and event data can be validated', async (t) => {
  t.ok(Value.Check(Principal, principal));
  t.notOk(Value.Check(Principal, { ...principal, roles: ['ROOT'] }));
  t.notOk(Value.Check(Principal, { ...principal, status: null }));
  t.ok(Value.Check(EnrollmentAccess, { subjectId: id, granted: true, expiresAt: null }));
  t.notOk(Value.Check(EnrollmentAccess, { subjectId: id, granted: true, expiresAt: 'soon' }));
  const { userId, ...rest } = principal;
  t.ok(
    Value.Check(userCreated.data, { ...rest, id: userId, identityProviderId: null, createdAt: time, updatedAt: time }),
  );
});

t.test('a timestamp is an existing date, alone or with a time and an offset', async (t) => {
  for (const good of [
    '2026-01-31',
    '2024-02-29',
    '2026-01-31T12:00Z',
    '2026-01-31T23:59:59.999Z',
    '2026-01-31T12:00:00+14:00',
    '0001-01-01',
    '9999-12-31',
  ])
    t.ok(isInstant(good), good);
  for (const bad of [
    '',
    '2026',
    '2026-02-29',
    '2026-02-30',
    '2026-02-30T10:00:00Z',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:60:00Z',
    '2026-01-31T12:00:00',
    '2026-01-31 12:00:00Z',
    '2026-01-31T12:00:00+99:99',
    '0000-01-01',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T23:59:59-05:00',
    '+012026-01-31',
    ' 2026-01-31',
    'Sat, 31 Jan 2026 12:00:00 GMT',
    '1767225600000',
  ])
    t.notOk(isInstant(bad), bad);
});

t.test('a web URL is absolute, uses http or https and contains no credentials', async (t) => {
  for (const good of [
    'https://example.org',
    'http://example.org:8080/a?b=c#d',
    'HTTPS://EXAMPLE.org/ä',
    'http://[::1]/x',
    'https://example.org/@someone?mail=a@b',
  ])
    t.ok(isWebUrl(good), good);
  for (const bad of [
    '',
    'example.org',
    '/a.png',
    '//example.org/a.png',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'ftp://example.org',
    'https:example.org',
    'https:/example.org',
    'https://',
    'https:///path',
    'https://?x',
    'https://user@example.org',
    'https://user:secret@example.org',
    'https://@example.org',
    'https://example.org:99999',
    'https://exa mple.org',
    'https://example.org/a b',
    ' https://example.org',
    'https://example.org\\@evil.test',
    'java\nscript:alert(1)',
    'https://example.org/\t',
    'https://example.org/\u0001',
  ])
    t.notOk(isWebUrl(bad), JSON.stringify(bad));
});

t.test('Value.Check validates Nullable and OneOf', async (t) => {
  const MaybeTime = Nullable(Timestamp());
  t.ok(Value.Check(MaybeTime, null));
  t.ok(Value.Check(MaybeTime, '2026-01-31T12:00:00.000Z'));
  t.notOk(Value.Check(MaybeTime, 7));
  t.ok(Value.Check(OneOf(['yes', 'no']), 'no'));
  t.notOk(Value.Check(OneOf(['yes', 'no']), 'maybe'));
});

// Measures reads of content at 10,000 and at BENCH_TOPICS (1,000,000) topics. See README.md.
import { passportHeaders, testPassportKey, testPrincipal, testServiceSecret } from '@lms/testing/principals';
import { buildApp } from 'content/app';
import { createEntitlement } from 'content/entitlement';
import { pino } from 'pino';
import { seedSchool, vocabulary } from './content-growth/seed-school.ts';
import { compareSizes, get } from './harness/growth.ts';

interface Route {
  name: string;
  maxRatio: number;
  /** The paths to request, one after the other. */
  paths: string[];
  headers?: Record<string, string>;
}

const routes = new Map<number, Route[]>();

await compareSizes({
  service: 'content',
  size: Number(process.env.BENCH_TOPICS ?? 1_000_000),
  times: 1_000,
  seed: seedSchool,
  build: (database, unreachable) =>
    buildApp({
      logger: pino({ level: 'silent' }),
      database,
      passportKey: testPassportKey,
      serviceSecret: testServiceSecret,
      entitlement: createEntitlement(unreachable),
      identity: unreachable,
      media: unreachable,
      notifyRelay: () => undefined,
      contentIsPublic: false,
      publicUrl: 'http://localhost',
    }),
  reads: routesOf(0).map(({ name, maxRatio }, at) => ({
    name,
    maxRatio,
    prepare({ url, size }, turn) {
      if (!routes.has(size)) routes.set(size, routesOf(size));
      const { paths = [], headers = {} } = routes.get(size)?.[at] ?? {};
      return () => get(`${url}${paths[turn % paths.length]}`, headers);
    },
  })),
});

function routesOf(topics: number): Route[] {
  const some = (kind: string, total: number) =>
    Array.from(
      { length: 480 },
      (_, index) => `${kind}${String((index * 7_919) % Math.max(total, 1)).padStart(23, '0')}`,
    );
  const words = (first: number) => Array.from({ length: 240 }, (_, index) => vocabulary[first + index] ?? '');
  const misspelt = words(300).map((word) => `${word.slice(0, 2)}${word.slice(3)}x`);
  const admin = passportHeaders(testPrincipal(['ADMIN']), { claims: { exp: Math.floor(Date.now() / 1_000) + 3_600 } });
  const searches = (queries: string[]) => queries.map((q) => `/api/education/search?q=${encodeURIComponent(q)}`);
  const [steady, searched] = [{ maxRatio: 1.3 }, { maxRatio: 3 }];
  return [
    { ...steady, name: 'levels', paths: ['/api/education/levels'] },
    {
      ...steady,
      name: 'grades of a level',
      paths: some('l', topics / 1_000).map((id) => `/api/education/levels/${id}/grades`),
    },
    {
      ...steady,
      name: 'subjects of a grade',
      paths: some('g', topics / 200).map((id) => `/api/education/grades/${id}/subjects`),
    },
    {
      ...steady,
      name: 'topics of a subject',
      paths: some('s', topics / 20).map((id) => `/api/education/subjects/${id}/topics`),
    },
    { ...steady, name: 'one topic', paths: some('t', topics).map((id) => `/api/education/topics/${id}`) },
    {
      ...steady,
      name: 'topics of a subject, signed in',
      paths: some('s', topics / 20).map((id) => `/api/education/subjects/${id}/topics`),
      headers: admin,
    },
    {
      ...steady,
      name: 'one topic, signed in',
      paths: some('t', topics).map((id) => `/api/education/topics/${id}`),
      headers: admin,
    },
    { ...searched, name: 'search, a rare name', paths: searches(some('', topics).map((id) => String(Number(id)))) },
    {
      ...searched,
      name: 'search, two words',
      paths: searches(words(20).map((word, index) => `${word} ${words(900)[index]}`)),
    },
    { ...searched, name: 'search, a common word', paths: searches(words(0)) },
    { ...searched, name: 'search, a misspelt word', paths: searches(misspelt) },
    { ...searched, name: 'admin list, page 1', paths: ['/api/admin/education/topics?limit=10'], headers: admin },
    {
      ...searched,
      name: 'admin list, page 1,000',
      paths: ['/api/admin/education/topics?limit=10&page=1000'],
      headers: admin,
    },
  ];
}

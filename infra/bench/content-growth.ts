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
  headers: Record<string, string>;
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
  const route = (name: string, maxRatio: number, paths: string[], headers = {}): Route => ({
    ...{ name, maxRatio, paths, headers },
  });
  const below = (kind: string, total: number, folder: string, list = '') =>
    some(kind, total).map((id) => `/api/education/${folder}/${id}${list}`);
  const topicsOfSubjects = below('s', topics / 20, 'subjects', '/topics');
  const oneTopic = below('t', topics, 'topics');
  const adminList = '/api/admin/education/topics?limit=10';
  return [
    route('levels', 1.3, ['/api/education/levels']),
    route('grades of a level', 1.3, below('l', topics / 1_000, 'levels', '/grades')),
    route('subjects of a grade', 1.3, below('g', topics / 200, 'grades', '/subjects')),
    route('topics of a subject', 1.3, topicsOfSubjects),
    route('one topic', 1.3, oneTopic),
    route('topics of a subject, signed in', 1.3, topicsOfSubjects, admin),
    route('one topic, signed in', 1.3, oneTopic, admin),
    route('search, a rare name', 3, searches(some('', topics).map((id) => String(Number(id))))),
    route('search, two words', 3, searches(words(20).map((word, index) => `${word} ${words(900)[index]}`))),
    route('search, a common word', 3, searches(words(0))),
    route('search, a misspelt word', 3, searches(misspelt)),
    route('admin list, page 1', 3, [adminList], admin),
    route('admin list, page 1,000', 3, [`${adminList}&page=1000`], admin),
  ];
}

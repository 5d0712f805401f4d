// Import rules; ARCHITECTURE.md gives the reasons. `npm run imports` checks them.
import { statSync } from 'node:fs';
import { allExtensions } from 'dependency-cruiser';

const installedAt = statSync('node_modules/.modules.yaml').mtimeMs;
const service = '^services/([^/]+)/src/';
const feature = '^services/([^/]+)/src/([^/]+)/';

// Without a compiler that it can use, dependency-cruiser reads no TypeScript and finds no violations.
if (!allExtensions.some(({ extension, available }) => extension === '.ts' && available))
  throw new Error('dependency-cruiser cannot read TypeScript');

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      comment: 'A file without imports and importers is dead.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '/test/',
          '/acceptance/',
          '/migrations/',
          '\\.d\\.m?ts$',
          'drizzle\\.config\\.ts$',
          '\\.cjs$',
          '\\.mjs$',
          '^packages/',
          '/main\\.ts$',
        ],
      },
      to: {},
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'contracts-import-typebox-only',
      severity: 'error',
      from: { path: '^packages/contracts/src/' },
      to: { pathNot: '^packages/contracts/src/|@sinclair/typebox' },
    },
    {
      name: 'packages-import-packages-only',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(services|gateway|infra)/' },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: '/src/', pathNot: '^(packages/testing|infra/faults)/' },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'services-import-packages-and-themselves',
      severity: 'error',
      from: { path: service },
      to: { path: '^(services|gateway|infra)/', pathNot: '^services/$1/' },
    },
    {
      name: 'gateway-has-no-database',
      severity: 'error',
      from: { path: '^gateway/src/' },
      to: { path: '^(services|infra|packages/database)/' },
    },
    {
      name: 'infra-imports-entry-points',
      comment: 'Other workspaces are imported by what the exports of their package.json name.',
      severity: 'error',
      from: { path: '^infra/([^/]+)/' },
      to: {
        path: '^(services/[^/]+|gateway|packages/[^/]+|infra/[^/]+)/src/',
        pathNot: '^infra/$1/',
        dependencyTypes: ['local'],
      },
    },
    {
      name: 'acceptance-is-a-black-box',
      severity: 'error',
      from: { path: '^gateway/acceptance/' },
      to: {
        path: '^(services|gateway|packages|infra)/[^/]+/src/|^gateway/src/',
        pathNot: '^packages/(client|testing)/src/',
      },
    },
    {
      name: 'features-do-not-import-each-other',
      comment:
        'app.ts passes in what a feature needs from another; only table.ts may be imported, for a foreign key, and the file formats that imports and exports have in common.',
      severity: 'error',
      from: { path: feature },
      to: {
        path: feature,
        pathNot: ['^services/$1/src/$2/', '/table\\.ts$', '^services/content/src/curriculum/(?!routes)'],
      },
    },
    {
      name: 'downhill-only',
      comment: 'main → app → routes → use case → repository → table',
      severity: 'error',
      from: { path: '/(repository|table)\\.ts$' },
      to: { path: '^services/[^/]+/src/.*(routes|app|main)\\.ts$' },
    },
    {
      name: 'only-app-imports-routes',
      severity: 'error',
      from: { path: service, pathNot: '/(app|main|operator)\\.ts$' },
      to: { path: '/routes\\.ts$' },
    },
    {
      name: 'only-repositories-import-drizzle',
      severity: 'error',
      from: { path: service, pathNot: ['repository\\.ts$', 'table\\.ts$', '/schema\\.ts$'] },
      to: { path: 'node_modules/drizzle-orm' },
    },
    {
      name: 'only-routes-import-fastify',
      severity: 'error',
      from: { path: service, pathNot: ['routes\\.ts$', '/app\\.ts$', '/main\\.ts$'] },
      to: { path: 'node_modules/(fastify|@fastify/(?!error))' },
    },
    {
      name: 'only-the-s3-driver-imports-the-aws-sdk',
      severity: 'error',
      from: { path: '/src/', pathNot: '^services/media/src/storage/s3' },
      to: { path: 'node_modules/@aws-sdk' },
    },
    {
      name: 'only-events-imports-nats',
      severity: 'error',
      from: { path: '/src/', pathNot: '^packages/events/|^infra/' },
      to: { path: 'node_modules/nats/' },
    },
    {
      name: 'only-the-gateway-store-imports-ioredis',
      severity: 'error',
      from: { path: '/src/', pathNot: '^gateway/src/(rate-limits/|quotas/|plugins/redis\\.ts)|^infra/' },
      to: { path: 'node_modules/ioredis/' },
    },
    {
      name: 'no-catch-all-folders',
      comment: 'Such folders collect code that has no name of its own.',
      severity: 'error',
      from: {},
      to: { path: ['/utils?[/.]', '/helpers?[/.]', '/common[/.]', '/shared[/.]', '/lib[/.]'], pathNot: 'node_modules' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|dist-[a-z]+|\\.tap|examples)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    // For the current files and rules; an installation may change what they resolve to.
    cache: { folder: `node_modules/.cache/dependency-cruiser/${installedAt}`, strategy: 'content' },
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      conditionNames: ['lms-source', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
      cachedInputFileSystem: { cacheDuration: 600_000 },
    },
  },
};

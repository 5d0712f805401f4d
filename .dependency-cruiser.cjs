// Who may import whom. ARCHITECTURE.md tells why; `npm run imports` checks it, and that enough modules were looked at.
const service = '^services/([^/]+)/src/';
const room = '^services/([^/]+)/src/([^/]+)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports and that imports nothing is dead.',
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
      name: 'packages-know-no-workspace-above',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(services|gateway|infra)/' },
    },
    {
      name: 'testing-is-for-tests',
      severity: 'error',
      from: { path: '/src/', pathNot: '^packages/testing/' },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'a-service-knows-packages-and-itself',
      severity: 'error',
      from: { path: service },
      to: { path: '^(services|gateway|infra)/', pathNot: '^services/$1/' },
    },
    {
      name: 'the-gateway-keeps-no-data',
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
      name: 'rooms-have-no-doors-between-them',
      comment: 'A neighbour room is handed in by app.ts; only its columns may be named, for a foreign key.',
      severity: 'error',
      from: { path: room },
      to: { path: room, pathNot: ['^services/$1/src/$2/', '/table\\.ts$'] },
    },
    {
      name: 'downhill-only',
      comment: 'main → app → routes → verb → repository → table',
      severity: 'error',
      from: { path: '/(repository|table)\\.ts$' },
      to: { path: '^services/[^/]+/src/.*(routes|app|main)\\.ts$' },
    },
    {
      name: 'only-app-opens-rooms',
      severity: 'error',
      from: { path: service, pathNot: '/(app|main|operator)\\.ts$' },
      to: { path: '/routes\\.ts$' },
    },
    {
      name: 'only-repositories-speak-sql',
      severity: 'error',
      from: { path: service, pathNot: ['repository\\.ts$', 'table\\.ts$', '/schema\\.ts$'] },
      to: { path: 'node_modules/drizzle-orm' },
    },
    {
      name: 'only-routes-speak-http',
      severity: 'error',
      from: { path: service, pathNot: ['routes\\.ts$', '/app\\.ts$', '/main\\.ts$'] },
      to: { path: 'node_modules/(fastify|@fastify/(?!error))' },
    },
    {
      name: 'only-the-s3-driver-speaks-s3',
      severity: 'error',
      from: { path: '/src/', pathNot: '^services/media/src/storage/s3' },
      to: { path: 'node_modules/@aws-sdk' },
    },
    {
      name: 'only-events-speak-nats',
      severity: 'error',
      from: { path: '/src/', pathNot: '^packages/events/|^infra/' },
      to: { path: 'node_modules/nats/' },
    },
    {
      name: 'only-limits-speak-redis',
      severity: 'error',
      from: { path: '/src/', pathNot: '^gateway/src/(limits|main|app)|^infra/' },
      to: { path: 'node_modules/ioredis/' },
    },
    {
      name: 'no-drawers',
      comment: 'Such folders collect what nobody wanted to name.',
      severity: 'error',
      from: {},
      to: { path: ['/utils?[/.]', '/helpers?[/.]', '/common[/.]', '/shared[/.]', '/lib[/.]'], pathNot: 'node_modules' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|dist-test|dist-acceptance|\\.tap)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['lms-source', 'import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};

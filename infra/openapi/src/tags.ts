import type { Operation } from './service-documents.ts';

interface Tag {
  name: string;
  description: string;
  /** Method and path of its operations, as in `GET /api/users`. */
  matches: RegExp;
}

/** In the order in which an app needs them: a learner's first. An operation belongs to the first tag that matches. */
const tags: Tag[] = [
  { name: 'Account', description: 'The signed-in user: profile, usage, export', matches: / \/api\/auth\// },
  {
    name: 'Courses',
    description: 'Education levels, grades, subjects and topics, as learners and visitors read them',
    matches: /^GET \/api\/education\/(?!topics\/\{id\}\/video|exports\/)/,
  },
  {
    name: 'Enrollment',
    description: "Enrollment requests and the caller's enrollments",
    matches: / \/api\/enrollment\b/,
  },
  {
    name: 'Watching and reading',
    description: "A topic's video and documents, for enrolled learners",
    matches: / \/api\/education\/topics\/|GET \/api\/s3\/document\/stream|GET \/api\/playback\//,
  },
  { name: 'Learning', description: 'Completion, positions, progress and notes', matches: / \/api\/learning\// },
  { name: 'Mentors', description: 'Mentor applications, and the subjects of a mentor', matches: / \/api\/mentor\// },
  {
    name: 'Uploads',
    description: 'Videos and documents of a topic, by administrators and the mentor of its subject',
    matches: /\/topics\/\{id\}\/(video|documents)|\/api\/s3\/document\/upload/,
  },
  {
    name: 'Import and export',
    description: 'Curricula as files: imports, exports and their format',
    matches: / \/api\/schemas\/| \/api\/(admin\/)?education\/(imports|exports)/,
  },
  {
    name: 'Course administration',
    description: 'Creating, changing, ordering, deleting and restoring courses',
    matches: / \/api\/admin\/education\//,
  },
  { name: 'Enrollment review', description: 'Decisions on enrollments', matches: / \/api\/admin\/enrollment/ },
  { name: 'Mentor review', description: 'Decisions on mentor applications', matches: / \/api\/admin\/mentor/ },
  { name: 'Users', description: 'Users, roles, plans and status', matches: / \/api\/users/ },
  { name: 'Audit', description: 'The log of changes by administrators', matches: / \/api\/admin\/audit/ },
  { name: 'Webhooks', description: 'Events of the identity provider', matches: / \/api\/webhooks\// },
];

/** @throws if no tag matches */
function indexOf(method: string, path: string): number {
  const index = tags.findIndex(({ matches }) => matches.test(`${method.toUpperCase()} ${path}`));
  if (index < 0) throw new Error(`${method} ${path} has no tag: infra/openapi/src/tags.ts`);
  return index;
}

/** The paths in the order of their tags, each operation with its tag. */
export function tagPaths(paths: Record<string, Record<string, Operation>>) {
  const order = (path: string) => Math.min(...Object.keys(paths[path] ?? {}).map((method) => indexOf(method, path)));
  const sorted = Object.entries(paths).sort(([a], [b]) => order(a) - order(b) || a.localeCompare(b, 'en'));
  return Object.fromEntries(
    sorted.map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method,
          { ...operation, tags: [tags[indexOf(method, path)]?.name] },
        ]),
      ),
    ]),
  );
}

export const tagList = tags.map(({ name, description }) => ({ name, description }));

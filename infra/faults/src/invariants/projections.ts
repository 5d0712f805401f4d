import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Database } from 'local/databases';
import type { System } from '../system/start-system.ts';
import type { Check, Evidence, Row, Violation } from './invariant.ts';

interface Projection {
  name: string;
  owner: Database;
  ownerSql: string;
  copy: Database;
  copySql: string;
}

const projections: Projection[] = [
  {
    name: 'user in enrollment',
    owner: 'identity',
    ownerSql: `select id as key, concat_ws(' | ', email, first_name, last_name) as value from users`,
    copy: 'enrollment',
    copySql: `select id as key, concat_ws(' | ', email, first_name, last_name) as value from people`,
  },
  {
    name: 'outline in enrollment',
    owner: 'content',
    ownerSql: `select id as key, concat_ws(' | ', kind, parent_id, name, position, is_active, deleted_at is not null) as value from nodes`,
    copy: 'enrollment',
    copySql: `select id as key, concat_ws(' | ', kind, parent_id, name, position, is_live, is_deleted) as value from outline`,
  },
  {
    name: 'mentor in content',
    owner: 'identity',
    ownerSql: `select id as key, email as value from users u where exists
      (select from user_roles where user_id = u.id and role = 'MENTOR' and is_active)`,
    copy: 'content',
    copySql: 'select user_id as key, email as value from mentors where is_mentor',
  },
];

/** Every projection equals its owner. After a restore of the owner, it may contain more. */
export const checkProjections: Check = async ({ system, restores }) => {
  const violations: Violation[] = [];
  const report = (text: string) => void violations.push({ invariant: 'projections', text });
  for (const { name, owner, ownerSql, copy, copySql } of projections) {
    const [owned, copied] = [await read(system, owner, ownerSql), await read(system, copy, copySql)];
    for (const [id, value] of owned)
      if (copied.get(id) !== value) report(`${name} ${id} is "${copied.get(id)}" instead of "${value}"`);
    if (restores.some(({ database }) => database === owner)) continue;
    for (const id of copied.keys()) if (!owned.has(id)) report(`${name} ${id} does not exist in ${owner}`);
  }
  const deleted = await read(
    system,
    'content',
    'select id as key, name as value from nodes where deleted_at is not null',
  );
  const open = await read(
    system,
    'enrollment',
    `select id as key, subject_id as value from enrollments where status in ('PENDING', 'APPROVED')`,
  );
  for (const [id, subject] of open) if (deleted.has(subject)) report(`enrollment ${id} is open in a deleted subject`);
  return violations;
};

const single = {
  'role of a user': [
    'identity',
    `select user_id || ' ' || role as key, count(*)::text as value from user_roles where is_active group by 1`,
  ],
  'enrollment of a user and subject': [
    'enrollment',
    `select user_id || ' ' || subject_id as key, count(*)::text as value from enrollments
      where status in ('PENDING', 'APPROVED') group by 1`,
  ],
  'application of a user': [
    'identity',
    `select user_id as key, count(*)::text as value from mentor_applications where status = 'PENDING' group by 1`,
  ],
} as const;

/** At most one active role, open enrollment and open application. */
export const checkSingles: Check = async ({ system }) => {
  const violations: Violation[] = [];
  for (const [name, [database, sql]] of Object.entries(single))
    for (const [key, count] of await read(system, database, sql))
      if (count !== '1') violations.push({ invariant: 'one active', text: `${name}: ${key} has ${count}` });
  return violations;
};

const entriesSql = `select entry->>'id' as key, entry->>'key' as value from nodes, jsonb_array_elements(documents) entry
  where deleted_at is null`;
const rowsSql = `select id as key, key as value from objects where status in ('ready', 'removing')`;
const readableSql = `select id as key, key as value from objects where status in ('offered', 'ready', 'removing')`;

async function listObjectFiles({ storagePath }: System) {
  const stored = await readdir(storagePath, { recursive: true, withFileTypes: true });
  return new Set(stored.filter((one) => one.isFile()).map(({ name }) => basename(name, '.part')));
}

/** Every entry that content shows can be read. */
export const checkEntries: Check = async ({ system, restores }) => {
  const entries = await read(system, 'content', entriesSql);
  const rows = await read(system, 'media', readableSql);
  const files = await listObjectFiles(system);
  const violations: Violation[] = [];
  const report = (text: string) => void violations.push({ invariant: 'objects', text });
  for (const [id, key] of rows)
    if (entries.has(id) && !files.has(key)) report(`object ${key} of the row ${id} is missing`);
  // A restore of one database loses one half of each upload.
  if (isRestored(restores)) return violations;
  for (const id of entries.keys()) if (!rows.has(id)) report(`the entry ${id} has no row`);
  return violations;
};

/** There are no rows and objects that content does not show. */
export const checkLeftovers: Check = async ({ system, restores }) => {
  // The sweep removes what the restore of one database leaves after a day.
  if (isRestored(restores)) return [];
  const entries = await read(system, 'content', entriesSql);
  const rows = await read(system, 'media', rowsSql);
  const all = await read(system, 'media', 'select key, status as value from objects');
  const files = await listObjectFiles(system);
  return [
    ...[...rows.keys()].filter((id) => !entries.has(id)).map((id) => `the row ${id} has no entry`),
    ...[...files].filter((key) => !all.has(key)).map((key) => `the object ${key} has no row`),
  ].map((text): Violation => ({ invariant: 'objects', text }));
};

const isRestored = (restores: Evidence['restores']) =>
  restores.some(({ database }) => database === 'content' || database === 'media');

async function read(system: System, database: Database, text: string): Promise<Map<string, string>> {
  const rows = await system.query(database, (sql) => sql.unsafe<Row[]>(text));
  return new Map(rows.map(({ key, value }) => [key, value ?? '']));
}

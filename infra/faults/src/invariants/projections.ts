import type { Database } from 'local/databases';
import { type Check, read } from './evidence.ts';

/** What is copied, the query of its owner, and that of the copy. */
const projections: [name: string, owner: Database, ownerSql: string, copy: Database, copySql: string][] = [
  [
    'user in enrollment',
    'identity',
    `select id as key, concat_ws(' | ', email, first_name, last_name) as value from users`,
    'enrollment',
    `select id as key, concat_ws(' | ', email, first_name, last_name) as value from people`,
  ],
  [
    'outline in enrollment',
    'content',
    `select id as key, concat_ws(' | ', kind, parent_id, name, position, is_active, deleted_at is not null) as value from nodes`,
    'enrollment',
    `select id as key, concat_ws(' | ', kind, parent_id, name, position, is_live, is_deleted) as value from outline`,
  ],
  [
    'mentor in content',
    'identity',
    `select id as key, email as value from users u where exists
      (select from user_roles where user_id = u.id and role = 'MENTOR' and is_active)`,
    'content',
    'select user_id as key, email as value from mentors where is_mentor',
  ],
];

const deletedSql = 'select id as key, name as value from nodes where deleted_at is not null';
const openSql = `select id as key, subject_id as value from enrollments where status in ('PENDING', 'APPROVED')`;

/** Every projection equals its owner. After a restore of the owner, it may contain more. */
export const checkProjections: Check = async ({ system, restores }) => {
  const texts: string[] = [];
  for (const [name, owner, ownerSql, copy, copySql] of projections) {
    const [owned, copied] = [await read(system, owner, ownerSql), await read(system, copy, copySql)];
    for (const [id, value] of owned)
      if (copied.get(id) !== value) texts.push(`${name} ${id} is "${copied.get(id)}" instead of "${value}"`);
    if (restores.some(({ database }) => database === owner)) continue;
    for (const id of copied.keys()) if (!owned.has(id)) texts.push(`${name} ${id} does not exist in ${owner}`);
  }
  const deleted = await read(system, 'content', deletedSql);
  for (const [id, subject] of await read(system, 'enrollment', openSql))
    if (deleted.has(subject)) texts.push(`enrollment ${id} is open in a deleted subject`);
  return texts;
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
  const texts: string[] = [];
  for (const [name, [database, sql]] of Object.entries(single))
    for (const [key, count] of await read(system, database, sql))
      if (count !== '1') texts.push(`${name}: ${key} has ${count}`);
  return texts;
};

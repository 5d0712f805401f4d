import { fileURLToPath } from 'node:url';
import { testDatabase } from '@lms/testing/database';
import t from 'tap';
import { matching } from '../src/imports/matching-repository.ts';

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

t.test('many items of the same name below different parents are matched in little time', async (t) => {
  const { sql, db } = await testDatabase(t, migrations);
  const count = 4_000;
  await sql`insert into nodes (id, kind, parent_id, name, description, position, is_active, is_live, level, content)
    select given.* from (values
      ('level', 'level', null, 'School', '', 0, true, true, null, null),
      ('grade', 'grade', 'level', 'Grade 1', '', 0, true, true, 'primary', null)) as given
    union all select 'subject ' || n, 'subject', 'grade', 'Subject ' || n, '', n, true, true, null, null
      from generate_series(1, ${count}::int) as n
    union all select 'topic ' || n, 'topic', 'subject ' || n, 'Introduction', '', 0, true, true, null, 'A text'
      from generate_series(1, ${count}::int) as n`;
  await sql`insert into imports (id, mode, dry_run, format, file_name, size, created_by, request_id)
    values ('import', 'upsert', true, 'json', 'curriculum.json', 1, 'admin', 'request')`;
  await sql`insert into import_items (import_id, number, parent, kind, location, fields, defaults, lists_children, new_id)
    select 'import', number, parent, kind, '', jsonb_build_object('name', name), '{}', true, 'new ' || number from (
      select 1 as number, null::int as parent, 'level' as kind, 'School' as name
      union all select 2, 1, 'grade', 'Grade 1'
      union all select 2 + n, 2, 'subject', 'Subject ' || n from generate_series(1, ${count}::int) as n
      union all select 2 + ${count}::int + n, 2 + n, 'topic', 'Introduction' from generate_series(1, ${count}::int) as n
    ) as items`;

  await db.transaction(async (tx) => {
    // Comparing all nodes of a name with all items of that name would take minutes.
    await tx.execute(`set local statement_timeout = '10s'`);
    const match = matching(tx, 'import');
    await match.preferHashJoins(true);
    await match.matchNodes();
    t.same(await match.check('upsert', 10), []);
    t.equal((await match.freeNames()).size, 0);
    const [matched] = await tx.execute(
      `select count(*)::int as all, count(*) filter (where node_id = 'topic ' || (number - 2 - ${count}))::int as topics
        from import_items where node_id is not null`,
    );
    t.same(matched, { all: 2 + 2 * count, topics: count });
  });
});

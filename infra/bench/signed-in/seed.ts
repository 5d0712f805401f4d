import type { Sql } from 'postgres';

export const topicsPerSubject = 24;
const subjects = 417;
export const learners = 200;
/** The subjects in which every learner is enrolled. */
const enrolledSubjects = 100;

export const idOf = (kind: string, number: number) => `${kind}${String(number).padStart(23, '0')}`;
const id = (kind: string, number: string) => `'${kind}' || lpad((${number})::text, 23, '0')`;

/** 2 KB of text for each topic. */
const topicRows = `
  select ${id('t', 'n')} as id, ${id('s', `n / ${topicsPerSubject}`)} as subject_id, 'Topic ' || n as name,
    n % ${topicsPerSubject} as position, repeat(md5(n::text), 64) as content
  from generate_series(0, ${subjects * topicsPerSubject - 1}) n`;
const subjectRows = `
  select ${id('s', 'n')} as id, ${id('g', 'n / 10')} as grade_id, 'Subject ' || n as name, n % 10 as position
  from generate_series(0, ${subjects - 1}) n`;
const userRows = `select ${id('u', 'n')} as id, n || '@lms.test' as email from generate_series(0, ${learners - 1}) n`;
const insertEnrollments = `
  insert into enrollments (id, user_id, subject_id, status, source, requested_at)
  select ${id('e', `u * ${enrolledSubjects} + s`)}, ${id('u', 'u')}, ${id('s', 's')}, 'APPROVED', 'ADMIN',
    now() - (u + s * ${learners}) * interval '1 minute'
  from generate_series(0, ${learners - 1}) u, generate_series(0, ${enrolledSubjects - 1}) s`;

export async function seedContent(sql: Sql) {
  await sql.unsafe(`
    insert into nodes (id, kind, parent_id, name, description, position, is_active, is_live, level)
    values ('${idOf('l', 0)}', 'level', null, 'Level', '', 0, true, true, null);
    insert into nodes (id, kind, parent_id, name, description, position, is_active, is_live, level)
    select ${id('g', 'n')}, 'grade', '${idOf('l', 0)}', 'Grade ' || n, '', n, true, true, 'primary'
    from generate_series(0, ${Math.floor(subjects / 10)}) n;
    insert into nodes (id, kind, parent_id, name, description, position, is_active, is_live)
    select id, 'subject', grade_id, name, '', position, true, true from (${subjectRows}) s;
    insert into nodes (id, kind, parent_id, name, description, position, is_active, is_live, content)
    select id, 'topic', subject_id, name, '', position, true, true, content from (${topicRows}) t`);
  await sql`vacuum analyze`;
}

export async function seedEnrollment(sql: Sql) {
  await sql.unsafe(`
    insert into outline (id, kind, parent_id, name, position, is_live, version)
    select id, 'subject', grade_id, name, position, true, 1 from (${subjectRows}) s;
    insert into outline (id, kind, parent_id, name, position, is_live, version)
    select id, 'topic', subject_id, name, position, true, 1 from (${topicRows}) t;
    insert into people (id, email, version) select id, email, 1 from (${userRows}) u;
    ${insertEnrollments}`);
  await sql`vacuum analyze`;
}

/** The tables of the single process, in one database. */
export async function seedBare(sql: Sql) {
  await sql.unsafe(`
    create table users (id text primary key, sub text not null unique, email text not null, roles text[] not null, status text not null);
    create table subjects (id text primary key, grade_id text not null, name text not null, position int not null, is_live boolean not null);
    create table topics (id text primary key, subject_id text not null references subjects, name text not null,
      description text not null, position int not null, is_active boolean not null, is_live boolean not null, content text not null,
      video jsonb, documents jsonb not null default '[]',
      created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now());
    create table enrollments (id text primary key, user_id text not null references users, subject_id text not null references subjects,
      status text not null, source text not null, message text, requested_at timestamptz(3) not null default now(), decided_at timestamptz(3),
      decided_by text, decision_reason text, expires_at timestamptz(3), ended_at timestamptz(3), ended_by text, end_reason text,
      created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now());
    create table progress (user_id text not null references users, topic_id text not null references topics,
      completed_at timestamptz(3), position_seconds float8 not null default 0, furthest_seconds float8 not null default 0,
      duration_seconds float8, created_at timestamptz(3) not null default now(), updated_at timestamptz(3) not null default now(),
      primary key (user_id, topic_id));
    insert into subjects select id, grade_id, name, position, true from (${subjectRows}) s;
    insert into topics (id, subject_id, name, description, position, is_active, is_live, content)
    select id, subject_id, name, '', position, true, true, content from (${topicRows}) t;
    insert into users select id, id, email, '{LEARNER}', 'ACTIVE' from (${userRows}) u;
    ${insertEnrollments};
    create index topics_of_subject on topics (subject_id, position, name, id);
    create unique index enrollments_one_open on enrollments (user_id, subject_id) where status in ('PENDING', 'APPROVED');
    create index enrollments_by_user on enrollments (user_id, requested_at)`);
  await sql`vacuum analyze`;
}

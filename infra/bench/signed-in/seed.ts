import type { Sql } from 'postgres';

export const topicsPerSubject = 24;
export const subjects = 417;
export const topics = subjects * topicsPerSubject;
export const learners = 200;
/** The subjects in which every learner is enrolled; they may request the others. */
export const enrolledSubjects = 100;
/** Users whose pending requests in all subjects are there to be approved. */
export const applicants = 250;
export const pending = applicants * subjects;

export const idOf = (kind: string, number: number) => `${kind}${String(number).padStart(23, '0')}`;
export const adminId = idOf('a', 0);

const id = (kind: string, number: string) => `'${kind}' || lpad((${number})::text, 23, '0')`;

/** 2 KB of text for each topic. */
const topicRows = `
  select ${id('t', 'n')} as id, ${id('s', `n / ${topicsPerSubject}`)} as subject_id, 'Topic ' || n as name,
    n % ${topicsPerSubject} as position, repeat(md5(n::text), 64) as content
  from generate_series(0, ${topics - 1}) n`;
const subjectRows = `
  select ${id('s', 'n')} as id, ${id('g', 'n / 10')} as grade_id, 'Subject ' || n as name, n % 10 as position
  from generate_series(0, ${subjects - 1}) n`;
const userRows = `
  select ${id('u', 'n')} as id, n, n || '@lms.test' as email from generate_series(0, ${learners - 1}) n
  union all select ${id('p', 'n')}, ${learners} + n, 'p' || n || '@lms.test' from generate_series(0, ${applicants - 1}) n
  union all select '${adminId}', -1, 'admin@lms.test'`;
const approvedRows = `
  select ${id('e', `u * ${enrolledSubjects} + s`)} as id, ${id('u', 'u')} as user_id, ${id('s', 's')} as subject_id,
    now() - (u + s * ${learners}) * interval '1 minute' as requested_at
  from generate_series(0, ${learners - 1}) u, generate_series(0, ${enrolledSubjects - 1}) s`;
const pendingRows = `
  select ${id('q', `u * ${subjects} + s`)} as id, ${id('p', 'u')} as user_id, ${id('s', 's')} as subject_id,
    now() - (u + s * ${applicants}) * interval '1 minute' as requested_at
  from generate_series(0, ${applicants - 1}) u, generate_series(0, ${subjects - 1}) s`;
const progressRows = `
  select ${id('r', `u * 1000 + n`)} as id, ${id('u', 'u')} as user_id, ${id('t', 'n')} as topic_id
  from generate_series(0, ${learners - 1}) u, generate_series(0, ${10 * topicsPerSubject - 1}) n where n % 2 = 0`;

export async function seedContent(sql: Sql) {
  await sql.unsafe(`
    insert into nodes (id, kind, parent_id, name, description, position, is_active, is_live, level, content)
    values ('${idOf('l', 0)}', 'level', null, 'Level', '', 0, true, true, null, null);
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
    insert into enrollments (id, user_id, subject_id, status, source, requested_at)
    select id, user_id, subject_id, 'APPROVED', 'ADMIN', requested_at from (${approvedRows}) e;
    insert into enrollments (id, user_id, subject_id, status, source, requested_at)
    select id, user_id, subject_id, 'PENDING', 'REQUEST', requested_at from (${pendingRows}) e;
    insert into topic_progress (id, user_id, topic_id, position_seconds, furthest_seconds, duration_seconds)
    select id, user_id, topic_id, 60, 60, 600 from (${progressRows}) p`);
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
    create table progress (id text not null unique default gen_random_uuid(), user_id text not null references users,
      topic_id text not null references topics, completed_at timestamptz(3), position_seconds float8 not null default 0,
      furthest_seconds float8 not null default 0, duration_seconds float8, created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(), primary key (user_id, topic_id));
    create table outbox (id bigint generated always as identity primary key, type text not null, data jsonb not null,
      created_at timestamptz not null default now(), published_at timestamptz);
    insert into subjects select id, grade_id, name, position, true from (${subjectRows}) s;
    insert into topics (id, subject_id, name, description, position, is_active, is_live, content)
    select id, subject_id, name, '', position, true, true, content from (${topicRows}) t;
    insert into users select id, id, email, case when n < 0 then '{ADMIN}'::text[] else '{LEARNER}' end, 'ACTIVE' from (${userRows}) u;
    insert into enrollments (id, user_id, subject_id, status, source, requested_at)
    select id, user_id, subject_id, 'APPROVED', 'ADMIN', requested_at from (${approvedRows}) e;
    insert into enrollments (id, user_id, subject_id, status, source, requested_at)
    select id, user_id, subject_id, 'PENDING', 'REQUEST', requested_at from (${pendingRows}) e;
    insert into progress (id, user_id, topic_id, position_seconds, furthest_seconds, duration_seconds)
    select id, user_id, topic_id, 60, 60, 600 from (${progressRows}) p;
    create index topics_of_subject on topics (subject_id, position, name, id);
    create unique index enrollments_one_open on enrollments (user_id, subject_id) where status in ('PENDING', 'APPROVED');
    create index enrollments_by_user on enrollments (user_id, requested_at);
    create index outbox_unpublished on outbox (id) where published_at is null`);
  await sql`vacuum analyze`;
}

import { testDatabase } from '@lms/testing/database';
import { pgTable, text } from 'drizzle-orm/pg-core';
import type { Test } from 'tap';
import { id, instant, timestamps } from '../src/columns.ts';

export const things = pgTable('things', { id: id(), name: text().notNull(), due: instant(), ...timestamps });

const statements = `
create table things (
  id text primary key, name text not null, due timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null default now(),
  updated_at timestamp(3) with time zone not null default now()
);
--> statement-breakpoint
create unique index things_name on things (lower(name));
--> statement-breakpoint
insert into things (id, name) values ('first', 'First')`;

/** A folder of migrations as drizzle-kit writes it. */
export function migrations(t: Test, sql = statements) {
  const entries = [{ idx: 0, version: '7', when: 1_700_000_000_000, tag: '0000_things', breakpoints: true }];
  const journal = JSON.stringify({ version: '7', dialect: 'postgresql', entries });
  return t.testdir({ '0000_things.sql': sql, meta: { '_journal.json': journal } });
}

export const openThings = (t: Test) => testDatabase(t, migrations(t));

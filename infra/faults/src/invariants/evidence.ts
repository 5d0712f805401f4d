import type { Database } from 'local/databases';
import type { Restore, System } from '../system/start-system.ts';
import type { Users } from '../workload/course.ts';
import type { Journal } from '../workload/journal.ts';

/** A fault that was injected. Routes that need one of `breaks` may fail until the system has had time to recover. */
export interface Outage {
  breaks: readonly string[];
  from: number;
  to: number;
}

export interface Evidence {
  system: System;
  journal: Journal;
  users: Users;
  outages: Outage[];
  restores: readonly Restore[];
  /** Until shortly after a request that took longer, requests to the same services may fail. */
  slowMs: number;
  /** Whether videos are uploaded, which need ffmpeg. */
  hasFilms: boolean;
  /** Redis has lost the usage that only a killed gateway knew. */
  isUsageLost: boolean;
}

/** Returns what violates an invariant, with the ids that are needed to find it. */
export type Check = (evidence: Evidence) => Promise<string[]>;

export interface Row {
  key: string;
  value: string | null;
}

/** The rows of a query by their `key`. */
export async function read(system: System, database: Database, text: string): Promise<Map<string, string>> {
  const rows = await system.sql(database).unsafe<Row[]>(text);
  return new Map(rows.map(({ key, value }) => [key, value ?? '']));
}

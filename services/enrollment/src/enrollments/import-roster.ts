import { isId } from '@lms/contracts/ids';
import type { Database, Db } from '@lms/database/connect';
import { openTransaction } from '@lms/database/open-transaction';
import type { Cause } from '@lms/events/append-event';
import { enrollUsers, type Placed, type Placement, placementKey, type Refused } from './enroll-users.ts';
import { EnrollmentChanged, Interrupted, SubjectGone, UserGone } from './errors.ts';
import type { SubjectSnapshot } from './open-enrollment.ts';
import { type InvalidLine, parseRoster, type RosterLine } from './parse-roster.ts';

interface Subjects {
  byId: Map<string, SubjectSnapshot>;
  byExternalId: Map<string, SubjectSnapshot>;
}
interface Users {
  byId: Map<string, { id: string }>;
  byEmail: Map<string, { id: string }>;
}

/** Finds live subjects and existing users in bulk; the others are missing in the maps. */
export interface Directory {
  findSubjects: (query: { ids: string[]; externalIds: string[] }) => Promise<Subjects>;
  /** E-mails must be verified. */
  findUsers: (query: { ids: string[]; emails: string[] }) => Promise<Users>;
}

export interface LineResult {
  line: number;
  ok: boolean;
  enrollmentId?: string;
  status?: Placed['status'];
  code?: string;
  error?: string;
}

interface Options {
  dryRun: boolean;
  adminId: string;
  cause: Cause;
  /** Called with an error after the first batch, which the results of the lines that are left report. */
  onOutage: (error: unknown) => void;
}

const batchSize = 500;

/**
 * Enrolls the users of a roster, one transaction per batch of lines. A line that fails does not affect the others; a line
 * that repeats another one changes nothing. After an outage the lines that are left fail.
 * @returns the results of each batch. @throws if the file is not a roster, or the first batch fails
 */
export async function* importRoster(
  { db }: Pick<Database, 'db'>,
  directory: Directory,
  file: Uint8Array,
  options: Options,
): AsyncGenerator<LineResult[], void, undefined> {
  const lines = parseRoster(file);
  const subjects = await directory.findSubjects({
    ids: valuesOf(lines, 'subjectId').filter(isId),
    externalIds: valuesOf(lines, 'subjectExternalId'),
  });
  const placed = new Map<string, Shown>();
  for (let start = 0; start < lines.length; start += batchSize) {
    const batch = lines.slice(start, start + batchSize);
    try {
      const query = { ids: valuesOf(batch, 'userId').filter(isId), emails: valuesOf(batch, 'email') };
      const users = await directory.findUsers(query);
      const resolved = batch.map((line) => resolve(line, subjects, users));
      yield await importBatch(db, resolved, placed, options);
    } catch (error) {
      if (start === 0) throw error;
      options.onOutage(error);
      yield lines.slice(start).map(({ line }) => ({ ok: false, ...toRefusedLine(line, new Interrupted()) }));
      return;
    }
  }
}

type TextColumn = 'email' | 'userId' | 'subjectId' | 'subjectExternalId';
const valuesOf = (lines: (RosterLine | InvalidLine)[], column: TextColumn) => [
  ...new Set(lines.flatMap((line) => ('error' in line ? [] : (line[column] ?? [])))),
];

interface RefusedLine {
  line: number;
  code: string;
  error: string;
}
type ResolvedLine = { line: number; placement: Placement } | RefusedLine;

const toRefusedLine = (line: number, { code, message }: Refused): RefusedLine => ({ line, code, error: message });

function resolve(entry: RosterLine | InvalidLine, subjects: Subjects, users: Users): ResolvedLine {
  const { line } = entry;
  if ('error' in entry) return { ...entry, code: 'VALIDATION_ERROR' };
  const user = findSame(find(users.byId, entry.userId), find(users.byEmail, entry.email));
  const subject = findSame(find(subjects.byId, entry.subjectId), find(subjects.byExternalId, entry.subjectExternalId));
  if (!user) return toRefusedLine(line, new UserGone());
  if (!subject) return toRefusedLine(line, new SubjectGone());
  return { line, placement: { userId: user.id, subject, expiresAt: entry.expiresAt } };
}

const find = <T>(known: Map<string, T>, key: string | undefined): (T | undefined)[] =>
  key === undefined ? [] : [known.get(key)];

/** A line may name a user or a subject in two ways; both have to find the same one. */
function findSame<T extends { id: string }>(first: (T | undefined)[], second: (T | undefined)[]): T | undefined {
  const [found, ...others] = [...first, ...second];
  return others.every((other) => other?.id === found?.id) ? found : undefined;
}

async function importBatch(db: Db, lines: ResolvedLine[], placed: Map<string, Shown>, options: Options) {
  // Of several lines for the same user and subject, the first one counts.
  const fresh = new Map<string, Placement>();
  for (const line of lines) {
    const key = 'placement' in line ? keyOf(line.placement) : undefined;
    if ('placement' in line && key !== undefined && !placed.has(key) && !fresh.has(key)) fresh.set(key, line.placement);
  }
  const results = await enroll(db, [...fresh.values()], options);
  return lines.map((line): LineResult => {
    if (!('placement' in line)) return { ok: false, ...line };
    const key = keyOf(line.placement);
    const earlier = placed.get(key);
    if (earlier) return { line: line.line, ok: true, ...earlier, status: 'unchanged' };
    const result = results.get(key) ?? new EnrollmentChanged();
    if (result instanceof Error) return { ok: false, ...toRefusedLine(line.line, result) };
    // A dry run is rolled back, and with it the enrollments that it has created.
    const { status, enrollmentId } = result;
    const shown = { status, ...(!(options.dryRun && status === 'created') && { enrollmentId }) };
    placed.set(key, shown);
    return { line: line.line, ok: true, ...shown };
  });
}

type Shown = Pick<LineResult, 'status' | 'enrollmentId'>;

const keyOf = ({ userId, subject }: Placement) => placementKey(userId, subject.id);

/** In a transaction that a dry run rolls back. */
async function enroll(db: Db, placements: Placement[], { dryRun, adminId, cause }: Options) {
  if (placements.length === 0) return new Map<string, Placed | Refused>();
  const { tx, commit, rollback } = await openTransaction(db);
  try {
    const results = await enrollUsers(tx, placements, { adminId, cause });
    await (dryRun ? rollback() : commit());
    return results;
  } catch (error) {
    await rollback();
    throw error;
  }
}

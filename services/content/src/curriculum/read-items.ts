import { curriculumItems } from '@lms/contracts/curriculum';
import { normalizeStrings } from '@lms/service/normalize-text';
import { createCheck } from '@lms/service/validation';

export type Kind = keyof typeof curriculumItems;

/** One item of a file, without its children. The number of a parent is lower than those of its children. */
export interface ReadItem {
  kind: Kind;
  number: number;
  parent: number | null;
  /** A JSON pointer, or `line <number>`. */
  location: string;
  fields: Record<string, unknown>;
  /** Values for an item that is created; one that exists keeps its own. */
  defaults: Record<string, unknown>;
  /** True if the file gives a list of its children, even an empty one. */
  listsChildren: boolean;
}

export interface Issue {
  /** An error prevents the import. */
  severity: 'error' | 'warning';
  location: string;
  code: string;
  message: string;
}

export type ReadEntry = ReadItem | Issue;
export const isIssue = (entry: ReadEntry): entry is Issue => 'severity' in entry;

export const error = (location: string, code: string, message: string): Issue => ({
  severity: 'error',
  location,
  code,
  message,
});

const checks = {
  level: createCheck(curriculumItems.level),
  grade: createCheck(curriculumItems.grade),
  subject: createCheck(curriculumItems.subject),
  topic: createCheck(curriculumItems.topic),
};
// As the checks report it.
const unknownField = 'is not a known field';
const maxDepth = 8;
const maxIssuesPerItem = 20;

/** Trims and checks the fields of an item. Fields that are not valid are reported, one issue each. */
export function* checkItem(item: ReadItem): Generator<ReadEntry> {
  const { value, issues, tooDeep } = normalizeStrings(item.fields, maxDepth);
  const fields: Record<string, unknown> = Object(value);
  const at = (path: string) => (item.location.startsWith('/') ? item.location + path : item.location);
  if (tooDeep) yield error(item.location, 'INVALID', `must not nest deeper than ${maxDepth}`);
  for (const { field, message } of issues) yield error(at(`/${field.replaceAll('.', '/')}`), 'INVALID_TEXT', message);
  for (const { field, message } of checks[item.kind].issuesOf(fields).slice(0, maxIssuesPerItem)) {
    const code = message === unknownField ? 'UNKNOWN_FIELD' : 'INVALID';
    yield error(at(field && `/${field.replaceAll('.', '/')}`), code, `${field.split('.')[0] || item.kind}: ${message}`);
  }
  yield { ...item, fields };
}

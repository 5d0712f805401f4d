import { csvDelimiterOf, isInstant } from '@lms/contracts/formats';
import { problemOf } from '@lms/service/normalize-text';
import { invalid, maxIssues } from '@lms/service/problems';
import { CsvError, type InfoRecord, parse } from 'csv-parse/sync';

export const rosterColumns = ['email', 'userId', 'subjectId', 'subjectExternalId', 'expiresAt'] as const;
type Column = (typeof rosterColumns)[number];
export const maxRosterLines = 10_000;
/** With rows of empty cells, of which spreadsheets may write many. */
const maxRows = 10 * maxRosterLines;

/** Four million cells in a line would block the process for seconds. */
export const maxLineBytes = 16_384;
const maxEmailLength = 254;
const maxExternalIdLength = 200;

/** A line of a roster. Of a user and of a subject, at least one value is given; if both are, they name the same one. */
export interface RosterLine {
  line: number;
  email?: string;
  userId?: string;
  subjectId?: string;
  subjectExternalId?: string;
  expiresAt: Date | null;
}
export interface InvalidLine {
  line: number;
  error: string;
}

/** Parses a roster: CSV in UTF-8 with a header row. @throws a 422 if it is not one; lines of their own are never the reason */
export function parseRoster(bytes: Uint8Array): (RosterLine | InvalidLine)[] {
  const [header, ...records] = parseRecords(decode(bytes));
  const columns = parseHeader(header?.values ?? []);
  return records.map(({ line, values }) => {
    if (values.length !== columns.length)
      return { line, error: `The line has ${values.length} values instead of ${columns.length}` };
    return parseLine(line, new Map(columns.map((column, index) => [column, unescapeFormula(values[index] ?? '')])));
  });
}

const invalidFile = (message: string, value?: unknown) => invalid({ field: 'file', message, value });

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalidFile('must be UTF-8');
  }
}

interface CsvRecord {
  line: number;
  values: string[];
}

function parseRecords(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  const collect = (values: string[], { lines, records: rows, invalid_field_length: others }: InfoRecord) => {
    if (values.some((value) => value.trim() !== '')) records.push({ line: lines, values });
    // While parsing, which blocks the process: a row of another length takes seven times as long, also if it is empty.
    if (Math.max(records.length, others) > maxRosterLines + 1 || rows > maxRows)
      throw invalidFile(`must have at most ${maxRosterLines} lines`);
    return null;
  };
  try {
    // The parser expects the line ending of the first line in all others, and counts a CRLF within a value as two lines.
    parse(text.replaceAll(/\r\n?/g, '\n'), {
      delimiter: csvDelimiterOf(text),
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxLineBytes,
      trim: true,
      on_record: collect,
    });
    return records;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = Object(error);
    const reason = `line ${lines} has a quote in the wrong place or none at its end, or is longer than ${maxLineBytes} bytes`;
    throw invalidFile(`must be CSV as in RFC 4180: ${reason}`);
  }
}

const isColumn = (name: string): name is Column => rosterColumns.some((column) => column === name);

function parseHeader(names: string[]): Column[] {
  const columns = names.filter(isColumn);
  const [unknown, ...others] = names.filter((name) => !isColumn(name));
  const issueOf = (name: string) => ({
    field: 'file',
    message: `has an unknown column; the columns are ${rosterColumns.join(', ')}`,
    value: name,
  });
  if (unknown !== undefined) throw invalid(issueOf(unknown), ...others.slice(0, maxIssues).map(issueOf));
  if (new Set(columns).size < columns.length) throw invalidFile('must name each column once', names.join(','));
  for (const [first, second] of [
    ['email', 'userId'],
    ['subjectId', 'subjectExternalId'],
  ] as const)
    if (!columns.includes(first) && !columns.includes(second))
      throw invalidFile(`must have a header row with the column ${first} or ${second}`, names.join(','));
  return columns;
}

/** Spreadsheets and our own CSV files put an apostrophe before values that would be formulas. */
const unescapeFormula = (value: string) => value.replace(/^'(?=[=+\-@\t\r])/, '');

function parseLine(line: number, values: Map<Column, string>): RosterLine | InvalidLine {
  const email = values.get('email') || undefined;
  const userId = values.get('userId') || undefined;
  const subjectId = values.get('subjectId') || undefined;
  const subjectExternalId = values.get('subjectExternalId') || undefined;
  const expiresAt = values.get('expiresAt') || undefined;
  const error = errorOf([...values.values()], { email, userId, subjectId, subjectExternalId, expiresAt });
  if (error) return { line, error };
  return {
    line,
    ...(email && { email }),
    ...(userId && { userId }),
    ...(subjectId && { subjectId }),
    ...(subjectExternalId && { subjectExternalId }),
    expiresAt: expiresAt ? new Date(expiresAt) : null,
  };
}

function errorOf(all: string[], values: Record<Column, string | undefined>): string | undefined {
  const { email, userId, subjectId, subjectExternalId, expiresAt } = values;
  const problem = all.map(problemOf).find((found) => found !== undefined);
  if (problem) return `Values ${problem}`;
  if (!email && !userId) return 'An email or a userId is required';
  if (!subjectId && !subjectExternalId) return 'A subjectId or a subjectExternalId is required';
  if (email && email.length > maxEmailLength) return 'The email is too long';
  if (subjectExternalId && [...subjectExternalId].length > maxExternalIdLength)
    return 'The subjectExternalId is too long';
  if (expiresAt && !isInstant(expiresAt)) return 'expiresAt must be a date or time in ISO 8601';
  if (expiresAt && new Date(expiresAt).getTime() <= Date.now()) return 'expiresAt must be in the future';
  return undefined;
}

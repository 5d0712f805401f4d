import { type FieldIssue, maxIssues } from './problems.ts';

const notWellFormed = 'must be well-formed Unicode';
// NFC sorts the combining marks after a letter, in quadratic time: 120,000 of them take ten seconds. No language uses ten.
const maxMarks = 100;
// Each row of marks is tried from its beginning only. The look behind is a third of the time after two marks than before the first.
const tooManyMarks = new RegExp(`\\p{M}{2}(?<!\\p{M}{3})\\p{M}{${maxMarks - 1}}`, 'u');
const hasTooManyMarks = (text: string) => text.length > maxMarks && tooManyMarks.test(text);

/** Why a text is refused: PostgreSQL cannot store NUL, and an unpaired surrogate is not valid Unicode. */
export const problemOf = (text: string): string | undefined => {
  if (text.includes('\0')) return 'must not contain NUL characters';
  if (hasTooManyMarks(text)) return `must not contain more than ${maxMarks} combining marks in a row`;
  return text.isWellFormed() ? undefined : notWellFormed;
};

export interface NormalizedValue {
  value: unknown;
  /** At most `maxIssues`; a body can contain a hundred thousand. */
  issues: FieldIssue[];
  /** True if the value nests deeper than allowed. Deeper values are not normalized. */
  tooDeep: boolean;
}

/** Trims all strings of a JSON value, converts them to NFC, and reports those that cannot be stored. */
export function normalizeStrings(input: unknown, maxDepth: number): NormalizedValue {
  const issues: FieldIssue[] = [];
  const path: string[] = [];
  let tooDeep = false;

  const visit = (value: unknown): unknown => {
    if (typeof value === 'string') {
      checkText(value, value);
      return normalizeText(value);
    }
    // Buffers and streams stay unchanged.
    if (!Array.isArray(value) && !isPlain(value)) return value;
    if (path.length >= maxDepth) {
      tooDeep = true;
      return value;
    }
    if (Array.isArray(value)) return value.map((item, index) => visitChild(String(index), item));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visitChild(key, item)]));
  };

  function visitChild(key: string, item: unknown): unknown {
    path.push(key);
    checkText(key, item);
    const visited = visit(item);
    path.pop();
    return visited;
  }

  function checkText(text: string, value: unknown) {
    const message = problemOf(text);
    if (message && issues.length < maxIssues)
      issues.push({ field: printable(path.join('.')), message, value: printable(value) });
  }

  return { value: visit(input), issues, tooDeep };
}

/** Reports the query parameters whose escaped bytes are not UTF-8. The parser leaves them escaped. */
export function findUndecodable(url: string): FieldIssue[] {
  const query = url.includes('?') && /%[89a-f]/i.test(url) ? url.slice(url.indexOf('?') + 1) : '';
  const undecodable = query.split('&').filter((parameter) => !isDecodable(parameter));
  return undecodable.map((parameter) => {
    const [name = '', ...value] = parameter.split('=');
    return { field: name, message: notWellFormed, value: value.join('=') };
  });
}

function isDecodable(text: string): boolean {
  try {
    // A percent sign that escapes nothing stands for itself.
    decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25'));
    return true;
  } catch {
    return false;
  }
}

/** Trimmed and in NFC. A text with too many combining marks, which `normalizeStrings` reports, is only trimmed. */
export const normalizeText = (text: string) => (hasTooManyMarks(text) ? text.trim() : text.trim().normalize('NFC'));

/** The first characters, as code points. */
export function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let end = 0;
  for (let length = 0; length < maxLength && end < text.length; length += 1)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** A text that PostgreSQL can store. */
export const printable = <T>(value: T) =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value;

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  // Bodies inherit from Object.prototype, queries from an empty object of their parser.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

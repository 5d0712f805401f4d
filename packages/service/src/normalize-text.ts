import { type FieldIssue, maxIssues } from './problems.ts';

/** What a string may not hold: it cannot be stored (NUL) or is no Unicode text (half a surrogate pair). */
const problemOf = (text: string): string | undefined => {
  if (text.includes('\0')) return 'must not contain NUL characters';
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode';
};

export interface NormalizedValue {
  value: unknown;
  /** The first of them; a body can hold a hundred thousand. */
  issues: FieldIssue[];
  /** True when the value nests deeper than allowed; then nothing else was looked at below. */
  tooDeep: boolean;
}

/** Trims every string of a JSON value and brings it to NFC, and names those that cannot be stored. */
export function normalizeStrings(input: unknown, maxDepth: number): NormalizedValue {
  const issues: FieldIssue[] = [];
  const path: string[] = [];
  let tooDeep = false;

  const visit = (value: unknown): unknown => {
    if (typeof value === 'string') {
      checkText(value, value);
      return normalizeText(value);
    }
    // A buffer or a stream is not ours to take apart.
    if (!Array.isArray(value) && !isPlain(value)) return value;
    if (path.length >= maxDepth) {
      tooDeep = true;
      return value;
    }
    if (Array.isArray(value)) return value.map((item, index) => below(String(index), item));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, below(key, item)]));
  };

  function below(key: string, item: unknown): unknown {
    path.push(key);
    checkText(key, item);
    const visited = visit(item);
    path.pop();
    return visited;
  }

  function checkText(text: string, value: unknown) {
    const message = problemOf(text);
    if (message && issues.length < maxIssues)
      issues.push({ field: shown(path.join('.')), message, value: shown(value) });
  }

  return { value: visit(input), issues, tooDeep };
}

/** How a text is kept: without space around it and composed. */
export const normalizeText = (text: string) => text.trim().normalize('NFC');

const shown = <T>(value: T) => (typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value);

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  // Bodies descend from Object.prototype, queries from an empty object of their parser's.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

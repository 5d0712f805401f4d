import type { FieldIssue } from './problems.ts';

/** What a string may not hold: it cannot be stored (NUL) or is no Unicode text (half a surrogate pair). */
const flawOf = (text: string): string | undefined => {
  if (text.includes('\0')) return 'must not contain NUL characters';
  return text.isWellFormed() ? undefined : 'must be well-formed Unicode';
};

export interface Cleaned {
  value: unknown;
  issues: FieldIssue[];
  /** True when the value nests deeper than allowed; then nothing else was looked at below. */
  tooDeep: boolean;
}

/** Trims every string and brings it to NFC, and names those that cannot be stored. */
export function cleanText(input: unknown, maxDepth: number): Cleaned {
  const issues: FieldIssue[] = [];
  let tooDeep = false;

  const visit = (value: unknown, field: string, depth: number): unknown => {
    if (typeof value === 'string') {
      const message = flawOf(value);
      if (message) issues.push({ field, message, value: value.toWellFormed().replaceAll('\0', '\uFFFD') });
      return value.trim().normalize('NFC');
    }
    if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
    if (depth >= maxDepth) {
      tooDeep = true;
      return value;
    }
    const at = (key: string | number) => (field === '' ? String(key) : `${field}.${key}`);
    if (Array.isArray(value)) return value.map((item, index) => visit(item, at(index), depth + 1));
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item, at(key), depth + 1)]));
  };

  return { value: visit(input, '', 0), issues, tooDeep };
}

import type { Changes } from '@lms/contracts/events/definition';

/** What differs, field by field, of the fields that `after` names. */
export function changesBetween<T extends object>(before: T, after: Partial<T>): Changes {
  const old = new Map(Object.entries(before));
  const differing = Object.entries(after).filter(([field, to]) => !isSame(old.get(field), to));
  return Object.fromEntries(differing.map(([field, to]) => [field, { from: old.get(field) ?? null, to: to ?? null }]));
}

const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** A row as it travels: instants become ISO 8601 texts. */
export type Wire<T> = { [K in keyof T]: T[K] extends Date ? string : T[K] extends Date | null ? string | null : T[K] };

/** Turns the `Date`s of a row into ISO 8601 with milliseconds; everything else stays as it is. */
export function toWire<T extends object>(row: T): Wire<T> {
  const entries = Object.entries(row).map(([key, value]) => [key, value instanceof Date ? value.toISOString() : value]);
  // The mapping of keys to types is what `Wire` says; Object.fromEntries cannot express it.
  return Object.fromEntries(entries) as Wire<T>;
}

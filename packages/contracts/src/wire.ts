/** The JSON type of a row: dates become strings. */
export type Wire<T> = { [K in keyof T]: T[K] extends Date ? string : T[K] extends Date | null ? string | null : T[K] };

/** Converts the `Date`s of a row into ISO 8601 strings with milliseconds. Other values stay unchanged. */
export function toWire<T extends object>(row: T): Wire<T> {
  const wire: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(row)) wire[key] = value instanceof Date ? value.toISOString() : value;
  // The loop loses the mapping of keys to types.
  return wire as Wire<T>;
}

/** The JSON type of a row: dates become strings. */
export type Wire<T> = { [K in keyof T]: T[K] extends Date ? string : T[K] extends Date | null ? string | null : T[K] };

/** Converts the `Date`s of a row into ISO 8601 strings with milliseconds. Other values stay unchanged. */
export function toWire<T extends object>(row: T): Wire<T> {
  // Copying first and then replacing the dates keeps the objects' shape, which is faster than building them key by key.
  const wire = { ...row } as Record<string, unknown>;
  for (const key in wire) {
    const value = wire[key];
    if (value instanceof Date) wire[key] = value.toISOString();
  }
  // The loop loses the mapping of keys to types.
  return wire as Wire<T>;
}

/** The address of a path for clients. The public URL can have a path of its own. */
export const publicAddress = (publicUrl: string, path: string) => publicUrl.replace(/\/+$/, '') + path;

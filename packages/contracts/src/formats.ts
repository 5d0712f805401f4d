import { FormatRegistry } from '@sinclair/typebox';

const instant =
  /^(\d{4}-\d{2}-\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/** ISO 8601: a day that exists, alone or with a time and its offset, within the years 1 to 9999 of UTC. */
export function isInstant(text: string): boolean {
  const day = instant.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  // Date.parse takes February 30 for March 2, and databases know neither a year 0 nor one of five digits.
  const exists = new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return exists && /^(?!0000)\d{4}-/.test(new Date(text).toISOString());
}

/** An absolute http(s) address without credentials, written out as it will be stored. */
export function isWebUrl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop or encode them, so what is stored would not be what is opened
  if (/[\s\\\u0000-\u001f\u007f]/.test(text) || !URL.canParse(text)) return false;
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  return authority !== undefined && !authority.includes('@');
}

/** The formats that texts on the wire may have, for every checker: ours and the server's. */
export const formats = { 'date-time': isInstant, 'web-url': isWebUrl };

for (const [name, fits] of Object.entries(formats)) FormatRegistry.Set(name, fits);

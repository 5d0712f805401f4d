import { FormatRegistry } from '@sinclair/typebox';

const instant =
  /^(\d{4}-\d{2}-\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/** ISO 8601: an existing date, alone or with a time and an offset, in the years 1 to 9999 UTC. */
export function isInstant(text: string): boolean {
  const day = instant.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  // Date.parse accepts February 30 as March 2, and PostgreSQL rejects year 0 and years with five digits in ISO 8601.
  const exists = new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return exists && /^(?!0000)\d{4}-/.test(new Date(text).toISOString());
}

/** An absolute http(s) URL without credentials and without characters that URL parsers change. */
export function isWebUrl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop or encode them, so the stored URL would differ from the opened one
  if (/[\s\\\u0000-\u001f\u007f]/.test(text) || !URL.canParse(text)) return false;
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  return authority !== undefined && !authority.includes('@');
}

/** The string formats, for TypeBox and for Ajv. */
export const formats = { 'date-time': isInstant, 'web-url': isWebUrl };

for (const [name, validate] of Object.entries(formats)) FormatRegistry.Set(name, validate);

/** What separates the values of a CSV file, by its header: spreadsheets write semicolons where decimals have commas. */
export const csvDelimiterOf = (csv: string): string => /^[^\r\n]*?([,;\t])/.exec(csv)?.[1] ?? ',';

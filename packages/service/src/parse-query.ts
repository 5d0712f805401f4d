import type { TSchema } from '@sinclair/typebox';
import { normalizeText } from './normalize-text.ts';

/** Parses query parameters into the types of their schema. A value that cannot be parsed stays a string, which the validator rejects. */
export function parseQueryValues(schema: TSchema, query: unknown) {
  const values: Record<string, unknown> = Object(query);
  for (const [name, property] of Object.entries<TSchema>(schema.properties ?? {}))
    if (values[name] !== undefined) values[name] = parseValue(property, values[name]);
}

function parseValue(schema: TSchema, value: unknown): unknown {
  if (schema.type === 'array') return [value].flat().map((item) => parseValue(schema.items ?? {}, item));
  if (typeof value !== 'string') return value;
  switch (schema.type) {
    // Plain decimal notation only: Number() would also accept spaces, exponents and hexadecimal.
    case 'integer':
      return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
    case 'number':
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
    case 'boolean':
      return value === 'true' || value === 'false' ? value === 'true' : value;
    default:
      return schema.format === 'date-time' ? restorePlus(normalizeText(value)) : normalizeText(value);
  }
}

/** An unescaped plus in a time zone offset arrives as a space. */
const restorePlus = (instant: string) => instant.replace(/^([^ T]*T[^ ]*) (\d{2}:\d{2})$/, '$1+$2');

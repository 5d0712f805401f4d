import type { TSchema } from '@sinclair/typebox';
import { normalizeText } from './normalize-text.ts';

/** Reads the texts of a query as what their schema calls for; what cannot be read stays a text, for the validator to refuse. */
export function parseQueryValues(schema: TSchema, query: unknown) {
  const values: Record<string, unknown> = Object(query);
  for (const [name, property] of Object.entries<TSchema>(schema.properties ?? {}))
    if (values[name] !== undefined) values[name] = readAs(property, values[name]);
}

function readAs(schema: TSchema, given: unknown): unknown {
  if (schema.type === 'array') return [given].flat().map((item) => readAs(schema.items ?? {}, item));
  if (typeof given !== 'string') return given;
  switch (schema.type) {
    // Plain decimal notation only: no spaces, exponents or hexadecimals, which Number() would take.
    case 'integer':
      return /^-?\d{1,15}$/.test(given) ? Number(given) : given;
    case 'number':
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(given) ? Number(given) : given;
    case 'boolean':
      return given === 'true' || given === 'false' ? given === 'true' : given;
    default:
      return schema.format === 'date-time' ? readOffset(normalizeText(given)) : normalizeText(given);
  }
}

/** The plus of an offset that was not escaped arrives as a space, as in forms; nothing else can be meant by it. */
const readOffset = (instant: string) => instant.replace(/(?<=T.*) (?=\d{2}:\d{2}$)/, '+');

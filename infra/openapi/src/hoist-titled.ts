import { isDeepStrictEqual } from 'node:util';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isSchema = (value: Json) =>
  typeof value.title === 'string' && /^[A-Z]\w*$/.test(value.title) && ('type' in value || 'anyOf' in value);

/** One value is an `enum` of one, as the services' documents have it. */
const sameWord = ({ const: only, ...rest }: Json): Json =>
  ['string', 'number', 'boolean'].includes(typeof only)
    ? { ...rest, enum: [only] }
    : { ...rest, ...(only !== undefined && { const: only }) };

/** Moves schemas that carry a title into one place and leaves references. @throws where one title names two schemas */
export function hoistTitled(document: Json): { value: unknown; schemas: Json } {
  const schemas: Json = {};

  function visit(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(visit);
    if (!isObject(value)) return value;
    const inner = sameWord(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, visit(item)])));
    return isSchema(inner) ? refer(String(inner.title), inner) : inner;
  }

  function refer(title: string, schema: Json) {
    const known = schemas[title];
    if (known && !isDeepStrictEqual(known, schema))
      throw new Error(
        `two different schemas are titled ${title}: ${JSON.stringify(known)} and ${JSON.stringify(schema)}`,
      );
    schemas[title] = schema;
    return { $ref: `#/components/schemas/${title}` };
  }

  const value = visit(document);
  return { value, schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a.localeCompare(b, 'en'))) };
}

import { Kind, type Static, type StringOptions, type TSchema, Type, TypeRegistry } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import './formats.ts';

/** Longest texts accepted, in characters (code points) after trimming. */
export const maxLengths = {
  name: 200,
  description: 5_000,
  content: 1_000_000,
  url: 2_048,
  reason: 1_000,
  note: 10_000,
  search: 100,
} as const;

/** A text that may be empty. Bodies are trimmed and brought to NFC before they meet a schema. */
export const Text = (maxLength: number, options: StringOptions = {}) => Type.String({ maxLength, ...options });

/** A text that says something. */
export const RequiredText = (maxLength: number, options: StringOptions = {}) =>
  Text(maxLength, { minLength: 1, ...options });

export const Name = (options: StringOptions = {}) => RequiredText(maxLengths.name, options);

/** An absolute http(s) address without credentials. */
export const WebUrl = (options: StringOptions = {}) =>
  Type.String({ format: 'web-url', maxLength: maxLengths.url, ...options });

/** An instant on the wire: ISO 8601, UTC, milliseconds. */
export const Timestamp = (options: StringOptions = {}) =>
  Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'], ...options });

/** A value or null. Simple types become `type: [..., 'null']`, which serializes without trying branches. */
export const Nullable = <T extends TSchema>(schema: T) => {
  const { type, enum: words } = schema;
  if (typeof type !== 'string' || type === 'object' || type === 'array')
    return Type.Unsafe<Static<T> | null>(Type.Union([schema, Type.Null()]));
  const nullable = { ...schema, type: [type, 'null'], ...(Array.isArray(words) && { enum: [...words, null] }) };
  return Type.Unsafe<Static<T> | null>({ ...nullable, [Kind]: 'Nullable', [notNull]: schema });
};

/** One of a few words, as a JSON Schema `enum`. */
export const OneOf = <const T extends readonly string[]>(values: T, options: StringOptions = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options, [Kind]: 'OneOf' });

// TypeBox's own checker refuses kinds that it does not know.
const notNull = Symbol('notNull');
TypeRegistry.Set<TSchema & { [notNull]: TSchema }>(
  'Nullable',
  (schema, value) => value === null || Value.Check(schema[notNull], value),
);
TypeRegistry.Set<TSchema & { enum: unknown[] }>('OneOf', (schema, value) => schema.enum.includes(value));

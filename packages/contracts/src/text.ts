import { Kind, type Static, type StringOptions, type TSchema, Type, TypeRegistry } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import './formats.ts';

/** Maximum lengths in characters (code points), after trimming. */
export const maxLengths = {
  name: 200,
  externalId: 200,
  description: 5_000,
  content: 1_000_000,
  url: 2_048,
  reason: 1_000,
  note: 10_000,
  search: 100,
} as const;

/** A string that may be empty. Strings in bodies are trimmed and normalized to NFC before validation. */
export const Text = (maxLength: number, options: StringOptions = {}) => Type.String({ maxLength, ...options });

/** A string that is not blank. */
export const RequiredText = (maxLength: number, options: StringOptions = {}) =>
  Text(maxLength, { minLength: 1, ...options });

export const Name = (options: StringOptions = {}) => RequiredText(maxLengths.name, options);

/** An absolute http(s) URL without credentials. */
export const WebUrl = (options: StringOptions = {}) =>
  Type.String({ format: 'web-url', maxLength: maxLengths.url, ...options });

/** A timestamp in JSON: ISO 8601. Responses use UTC with milliseconds. */
export const Timestamp = (options: StringOptions = {}) =>
  Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'], ...options });

/** A value or null. Simple types become `type: [..., 'null']`, which serializes faster than a union. */
export const Nullable = <T extends TSchema>(schema: T) => {
  const { type, enum: values } = schema;
  if (typeof type !== 'string' || type === 'object' || type === 'array')
    return Type.Unsafe<Static<T> | null>(Type.Union([schema, Type.Null()]));
  const nullable = { ...schema, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) };
  return Type.Unsafe<Static<T> | null>({ ...nullable, [Kind]: 'Nullable', [notNull]: schema });
};

/** One of several strings, as a JSON Schema `enum`. */
export const OneOf = <const T extends readonly string[]>(values: T, options: StringOptions = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: values, ...options, [Kind]: 'OneOf' });

// TypeBox rejects kinds that are not registered.
const notNull = Symbol('notNull');
TypeRegistry.Set<TSchema & { [notNull]: TSchema }>(
  'Nullable',
  (schema, value) => value === null || Value.Check(schema[notNull], value),
);
TypeRegistry.Set<TSchema & { enum: unknown[] }>('OneOf', (schema, value) => schema.enum.includes(value));

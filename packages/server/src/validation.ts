import { formats } from '@lms/contracts/formats';
import { Ajv, type ErrorObject } from 'ajv';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import { type FieldIssue, invalid, NotFound, type Problem } from './problems.ts';

// Unknown fields are dropped before a handler sees them: nothing can be assigned that a schema does not name.
const shared = {
  allErrors: true,
  verbose: true,
  removeAdditional: 'all',
  useDefaults: true,
  strict: false,
  strictNumbers: true,
  formats,
} as const;
const bodies = new Ajv({ ...shared, coerceTypes: false });
const texts = new Ajv({ ...shared, coerceTypes: true });

/** Bodies are taken at their word; queries and paths arrive as texts, so numbers and booleans are read from them. */
export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? bodies : texts).compile(schema);

/** The error that fastify throws when a part of a request does not fit its schema. */
export function explainValidation(errors: FastifySchemaValidationError[], part: string): Problem {
  if (part === 'params') return new NotFound();
  const [first, ...rest] = errors.filter(isTelling).map((error) => toIssue(error, part));
  return invalid(first ?? { field: part, message: 'is not valid' }, ...rest);
}

// A union reports each branch that failed; the branches' own messages say more than "must match a schema in anyOf".
const isTelling = (error: FastifySchemaValidationError, _index: number, all: FastifySchemaValidationError[]) =>
  all.length === 1 || !['anyOf', 'if'].includes(error.keyword);

function toIssue(error: FastifySchemaValidationError & Partial<ErrorObject>, part: string): FieldIssue {
  const { missingProperty, allowedValues } = error.params;
  const path = [...error.instancePath.split('/').slice(1), ...(missingProperty === undefined ? [] : [missingProperty])];
  const message = messageOf(error.keyword, error.message ?? 'is not valid', allowedValues);
  return { field: path.join('.') || part, message, value: missingProperty === undefined ? error.data : undefined };
}

function messageOf(keyword: string, message: string, allowedValues: unknown): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'minProperties') return 'must name at least one field to change';
  if (keyword === 'enum' && Array.isArray(allowedValues)) return `must be one of ${allowedValues.join(', ')}`;
  return message;
}

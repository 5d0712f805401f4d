import { formats } from '@lms/contracts/formats';
import { resourceKeyword } from '@lms/contracts/ids';
import type { TSchema } from '@sinclair/typebox';
import { Ajv, type ErrorObject } from 'ajv';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import { parseQueryValues } from './parse-query.ts';
import { type FieldIssue, invalid, maxIssues, notFound, type Problem } from './problems.ts';

const shared = {
  allErrors: true,
  verbose: true,
  strict: false,
  strictNumbers: true,
  coerceTypes: false,
  formats,
} as const;
// Unknown fields are dropped before a handler sees them: nothing can be assigned that a schema does not name.
const fields = new Ajv({ ...shared, useDefaults: true, removeAdditional: 'all' });
// A header schema names what a route reads; the others belong to the server.
const headers = new Ajv(shared);

/** Bodies are taken at their word; queries arrive as texts, so numbers and booleans are read from them. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  if (httpPart === 'headers') return headers.compile(schema);
  const validate = fields.compile(schema);
  const after = (prepare: (given: unknown) => void) =>
    Object.defineProperty(
      (given: unknown) => {
        prepare(given);
        return validate(given);
      },
      'errors',
      { get: () => validate.errors },
    );
  if (httpPart === 'querystring') return after((query) => parseQueryValues(schema, query));
  // What is unknown goes in the first pass, so that the second counts only what is left.
  return schema.minProperties === undefined ? validate : after(validate);
};

/** The error that fastify throws when a part of a request does not fit its schema. */
export function toValidationProblem(errors: FastifySchemaValidationError[], part: string): Problem {
  if (part === 'params') return notFound(resourceOf(errors[0]));
  const telling = errors.slice(0, maxIssues).filter(isSpecific);
  const [first, ...rest] = telling.map((error) => toIssue(error, part));
  return invalid(first ?? { field: part, message: 'is not valid' }, ...rest);
}

const resourceOf = (error: Partial<ErrorObject> | undefined): string =>
  error?.parentSchema?.[resourceKeyword] ?? 'Resource';

// A union reports each branch that failed; the branches' own messages say more than "must match a schema in anyOf".
const isSpecific = (error: FastifySchemaValidationError, _index: number, all: FastifySchemaValidationError[]) =>
  all.length === 1 || !['anyOf', 'if'].includes(error.keyword);

function toIssue(error: FastifySchemaValidationError & Partial<ErrorObject>, part: string): FieldIssue {
  const { missingProperty } = error.params;
  const path = [...error.instancePath.split('/').slice(1), ...(missingProperty === undefined ? [] : [missingProperty])];
  const message = messageOf(error.keyword, error.message ?? 'is not valid', error.params);
  return { field: path.join('.') || part, message, value: missingProperty === undefined ? error.data : undefined };
}

function messageOf(keyword: string, message: string, { allowedValues, limit }: ErrorObject['params']): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'minLength' && limit === 1) return 'must not be blank';
  if (keyword === 'minProperties') return 'must name at least one field to change';
  if (keyword === 'enum' && Array.isArray(allowedValues)) return `must be one of ${allowedValues.join(', ')}`;
  return message;
}

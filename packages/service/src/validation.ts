import { formats } from '@lms/contracts/formats';
import { resourceKeyword } from '@lms/contracts/ids';
import type { Static, TSchema } from '@sinclair/typebox';
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import { parseQueryValues } from './parse-query.ts';
import { type FieldIssue, invalid, maxIssues, notFound, type Problem } from './problems.ts';

const options: Options = {
  allErrors: true,
  verbose: true,
  strict: false,
  // A misspelled format or keyword is an error instead of being ignored.
  strictSchema: true,
  keywords: [resourceKeyword],
  // Schemas are constants that TypeScript checks. Compiling the schema of schemas would take the start of each process 60 ms.
  validateSchema: false,
  meta: false,
  strictNumbers: true,
  coerceTypes: false,
  formats,
};
// Removing unknown fields prevents mass assignment.
const bodyAjv = new Ajv({ ...options, useDefaults: true, removeAdditional: 'all' });
// A header schema lists only the headers that a route reads, so the others must stay.
const plainAjv = new Ajv(options);

/**
 * Types are not coerced; only query strings are parsed into the types of their schema first. Schemas are compiled at their
 * first request, which shortens the start and saves the memory of routes that are not called.
 */
export function compileValidator(route: Route) {
  let validate: Validate | undefined;
  const compileOnce = () => {
    validate ??= compile(route);
    return validate;
  };
  const validateFirst = Object.assign((value: unknown) => compileOnce()(value), { compile: compileOnce });
  return Object.defineProperty(validateFirst, 'errors', { get: () => validate?.errors });
}

type Route = Parameters<FastifySchemaCompiler<TSchema>>[0];
type Validate = ReturnType<FastifySchemaCompiler<TSchema>>;

function compile({ schema, httpPart }: Route): Validate {
  if (httpPart === 'headers') return plainAjv.compile(schema);
  const validate = bodyAjv.compile(schema);
  const validateAfter = (prepare: (value: unknown) => void) =>
    Object.defineProperty(
      (value: unknown) => {
        prepare(value);
        return validate(value);
      },
      'errors',
      { get: () => validate.errors },
    );
  if (httpPart === 'querystring') return validateAfter((query) => parseQueryValues(schema, query));
  if (httpPart === 'body') {
    const lists = Object.entries<TSchema>(schema.properties ?? {}).filter(([, { maxItems }]) => maxItems !== undefined);
    return validateAfter((body) => {
      for (const [name, { maxItems }] of lists) shorten(Object(body)[name], maxItems + 1);
      // Removes unknown fields, so that minProperties counts only known ones.
      if (schema.minProperties !== undefined) validate(body);
    });
  }
  return validate;
}

/** Of a list that is too long, each item would be checked, and each error stored. */
function shorten(value: unknown, length: number) {
  if (Array.isArray(value) && value.length > length) value.length = length;
}

/**
 * Checks values that are not bodies of their own, such as parts of a form and items of a file, with the rules and messages of
 * bodies. TypeBox's checks count UTF-16 code units instead of characters.
 */
export function createCheck<T extends TSchema>(schema: T) {
  let compiled: ValidateFunction<Static<T>> | undefined;
  const validate = () => {
    compiled ??= plainAjv.compile<Static<T>>(schema);
    return compiled;
  };
  return {
    isValid: (value: unknown): value is Static<T> => validate()(value),
    issuesOf: (value: unknown): FieldIssue[] => (validate()(value) ? [] : toIssues(validate().errors ?? [], '')),
  };
}

/** Converts validation errors into the response: a 404 for path parameters, otherwise a 422 with all issues. */
export function toValidationProblem(errors: FastifySchemaValidationError[], part: string): Problem {
  if (part === 'params') return notFound(resourceOf(errors[0]));
  const [first, ...rest] = toIssues(errors, part);
  return invalid(first ?? { field: part, message: 'is not valid' }, ...rest);
}

const resourceOf = (error: Partial<ErrorObject> | undefined): string =>
  error?.parentSchema?.[resourceKeyword] ?? 'Resource';

const toIssues = (errors: FastifySchemaValidationError[], part: string): FieldIssue[] =>
  errors
    .slice(0, maxIssues)
    .filter(isSpecific)
    .map((error) => toIssue(error, part));

// A union also reports the errors of each branch, which are more useful than "must match a schema in anyOf".
const isSpecific = (error: FastifySchemaValidationError, _index: number, all: FastifySchemaValidationError[]) =>
  all.length === 1 || !['anyOf', 'if'].includes(error.keyword);

function toIssue(error: FastifySchemaValidationError & Partial<ErrorObject>, part: string): FieldIssue {
  const { missingProperty, additionalProperty } = error.params;
  const path = [...error.instancePath.split('/').slice(1), missingProperty ?? additionalProperty ?? []].flat();
  const message = messageOf(error.keyword, error.message ?? 'is not valid', error.params);
  return { field: path.join('.') || part, message, value: missingProperty === undefined ? error.data : undefined };
}

const formatMessages: Record<string, string> = {
  'date-time': 'must be a date or a time with an offset in ISO 8601',
  'web-url': 'must be an absolute http or https URL without credentials',
};

function messageOf(keyword: string, message: string, { allowedValues, limit, format }: ErrorObject['params']): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not a known field';
  if (keyword === 'minLength' && limit === 1) return 'must not be blank';
  if (keyword === 'minProperties') return 'must contain at least one field to change';
  if (keyword === 'format') return formatMessages[format] ?? message;
  if (keyword === 'enum' && Array.isArray(allowedValues)) return `must be one of ${allowedValues.join(', ')}`;
  return message;
}

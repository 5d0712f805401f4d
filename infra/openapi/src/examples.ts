import { readFileSync } from 'node:fs';
import { Ajv2020 as Ajv, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

type Values = Record<string, unknown>;
interface Examples {
  records: Record<string, Values>;
  fields: Values;
  operations: Record<string, Values>;
}

const file = readFileSync(new URL('../examples.yaml', import.meta.url), 'utf8');
const { records, fields, operations }: Examples = parse(file, { merge: true });
const ajv = new Ajv({ strict: false, validateFormats: false, code: { optimize: false } });
const defaults: Values = { binary: 'The bytes of the file', string: 'text', integer: 1, number: 1, boolean: true };

/** `GradeWithSubjects` and `grades` have the values of `grade`. */
const recordOf = (name = ''): Values | undefined =>
  records[name.replace(/^./, (first) => first.toLowerCase()).replace(/With.*|(?<!s)s$/, '')];

/** The id of a record, by the name of the resource in the path. */
export const exampleId = (resource: unknown) =>
  recordOf(String(resource).replace(/ (.)/, (_, next: string) => next.toUpperCase()))?.id;

/** An example of the body of a request or of a successful response. */
export function bodyExample(operationId: string, schema: object, type: string): unknown {
  const values = operations[operationId];
  if (type === 'text/csv') return values?.csv;
  // `createGrade` is about a `grade`.
  const noun = operationId.replace(/^[a-z]+/, '');
  const { success, data, message } = Object(Object(schema).properties);
  if (!success) return exampleOf(schema, noun, values);
  return exampleOf(schema, '', {
    data: accepted(data, values?.data) ?? exampleOf(data, noun, values),
    message: message?.examples?.[0],
  });
}

// Many properties have equal schemas, and to compile them takes most of the time.
const validators = new Map<string, ValidateFunction>();

/** The value, if the schema accepts it. */
function accepted(schema: object, value: unknown): unknown {
  if (value === undefined) return undefined;
  const text = JSON.stringify(schema);
  const validate = validators.get(text) ?? ajv.compile(schema);
  validators.set(text, validate);
  return validate(value) ? value : undefined;
}

function exampleOf(schema: object, name: string, values: unknown = {}): unknown {
  const { title, type, properties, required = [], items, anyOf, ...rest } = Object(schema);
  if (properties) {
    const own: Values = { ...recordOf(name), ...recordOf(title), ...Object(values) };
    const entries = Object.entries<object>(properties).map(([key, property]) => {
      const isNested = 'properties' in property && typeof own[key] === 'object';
      const value = isNested ? exampleOf(property, key, own[key]) : accepted(property, own[key]);
      // What may be left out appears where there are values for it.
      if (value !== undefined || !(required.includes(key) || recordOf(key))) return [key, value];
      return [key, accepted(property, fields[key]) ?? exampleOf(property, key)];
    });
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  if (type === 'array') return [exampleOf(items, name, values)];
  if (anyOf) return exampleOf(anyOf[0], name);
  if (type?.includes('null')) return null;
  return rest.enum?.[0] ?? rest.examples?.[0] ?? defaults[rest.format] ?? defaults[type];
}

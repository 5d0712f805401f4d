import { operations } from './operations.ts';
import { fields, type Json, time, titled } from './values.ts';

/** An example of the body of a request. @throws if an operation with a body has none */
export function requestExample(operationId: string, type = 'application/json'): unknown {
  const { request, form, csv } = operations[operationId] ?? {};
  const example = { 'text/csv': csv, 'multipart/form-data': form }[type] ?? request;
  if (!example) throw new Error(`${operationId} has no example of its body: infra/openapi/src/examples/operations.ts`);
  return example;
}

/** An example of a successful response, made from its schema and the values above. */
export function responseExample(operationId: string, schema: unknown, type = 'application/json'): unknown {
  const own = operations[operationId];
  if (type === 'text/csv') return own?.csv;
  const { data, message, ...rest } = Object(Object(schema).properties);
  const others = Object.entries(rest).map(([name, property]) => [name, exampleOf(property, name)]);
  const text = Object(message).examples?.[0];
  return {
    ...Object.fromEntries(others),
    data: own?.data ?? exampleOf(data, '', own?.response),
    ...(text !== undefined && { message: text }),
  };
}

function exampleOf(schema: unknown, name: string, values: Json = {}): unknown {
  const { title, type, properties, items, anyOf, enum: words, const: only, examples, format } = Object(schema);
  if (only !== undefined) return only;
  if (properties) return objectExample(properties, { ...titled[String(title).replace(/With.*/, '')], ...values });
  if (type === 'array') return [exampleOf(items, name, values)];
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], name, values);
  if (Object.hasOwn(fields, name) && fits(fields[name], schema)) return fields[name];
  if (words) return words[0];
  if (examples) return examples[0];
  if (format === 'date-time') return time('12');
  const samples: Json = { string: 'text', integer: 1, number: 1, boolean: true };
  return samples[Array.isArray(type) ? type[0] : type] ?? null;
}

const objectExample = (properties: Json, values: Json): Json =>
  Object.fromEntries(
    Object.entries(properties)
      .map(([name, property]) => [name, Object.hasOwn(values, name) ? values[name] : exampleOf(property, name)])
      .filter(([, value]) => value !== undefined),
  );

const fits = (value: unknown, schema: unknown) => {
  const { enum: words } = Object(schema);
  return !Array.isArray(words) || words.includes(value);
};

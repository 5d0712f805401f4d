import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { TSchema } from '@sinclair/typebox';
import type { FastifySerializerCompiler } from 'fastify';

// The serializer has to know the format, but does not validate it.
const compile = SerializerSelector()({}, { ajv: { formats: { 'web-url': true } } });
const serializers = new WeakMap<TSchema, ReturnType<typeof compile>>();

/**
 * Compiles a response schema at its first response, as the validators are at their first request, and once, not for each
 * route that uses it: most of them are the schema of errors.
 */
export const compileSerializer: FastifySerializerCompiler<TSchema> = ({ schema, method, url, httpStatus = '' }) => {
  const known = serializers.get(schema);
  if (known) return known;
  let compiled: ReturnType<typeof compile> | undefined;
  const serialize = (body: unknown) => {
    compiled ??= compile({ schema, method, url, httpStatus });
    return compiled(body);
  };
  serializers.set(schema, serialize);
  return serialize;
};

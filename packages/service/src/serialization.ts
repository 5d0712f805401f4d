import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { TSchema } from '@sinclair/typebox';
import type { FastifySerializerCompiler } from 'fastify';

// The serializer has to know the format, but does not validate it.
const compile = SerializerSelector()({}, { ajv: { formats: { 'web-url': true } } });
const serializers = new WeakMap<TSchema, ReturnType<typeof createSerializer>>();

/**
 * Compiles a response schema at its first response, as the validators are at their first request, and once, not for each
 * route that uses it: most of them are the schema of errors.
 */
export function compileSerializer(route: Route) {
  const serialize = serializers.get(route.schema) ?? createSerializer(route);
  serializers.set(route.schema, serialize);
  return serialize;
}

type Route = Parameters<FastifySerializerCompiler<TSchema>>[0];

function createSerializer({ schema, method, url, httpStatus = '' }: Route) {
  let compiled: ReturnType<typeof compile> | undefined;
  const compileOnce = () => {
    compiled ??= compile({ schema, method, url, httpStatus });
    return compiled;
  };
  return Object.assign((body: unknown) => compileOnce()(body), { compile: compileOnce });
}

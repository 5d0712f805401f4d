import type { TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify';
import { compileSerializer } from './serialization.ts';
import { compileValidator } from './validation.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Compiles what routes compile at their first use otherwise. Throws if a schema cannot be compiled. */
    compileSchemas: () => void;
  }
}

type Route = Parameters<FastifySchemaCompiler<TSchema> | FastifySerializerCompiler<TSchema>>[0];

/** Sets the compilers of validators and serializers. */
export function setSchemaCompilers(app: FastifyInstance) {
  const compilations: (() => void)[] = [];
  const collect = <Compiled extends { compile: () => unknown }>(compiled: Compiled, route: Route) => {
    compilations.push(() => {
      try {
        compiled.compile();
      } catch (cause) {
        const part = route.httpPart ?? `response ${route.httpStatus}`;
        throw new Error(`${route.method} ${route.url}: the schema of ${part} cannot be compiled: ${cause}`, { cause });
      }
    });
    return compiled;
  };
  app.setValidatorCompiler<TSchema>((route) => collect(compileValidator(route), route));
  app.setSerializerCompiler<TSchema>((route) => collect(compileSerializer(route), route));
  app.decorate('compileSchemas', () => {
    for (const compile of compilations) compile();
  });
}

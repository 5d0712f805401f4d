import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { allowAnyone } from '@lms/auth/require-role';
import { Curriculum } from '@lms/contracts/curriculum';
import { getCurriculumSchema } from './schemas.ts';

// Without the symbols of TypeBox.
const schema = JSON.stringify(Curriculum, null, 2);

/** Public: the JSON Schema of `curriculum.json`. */
export const schemaRoutes: FastifyPluginAsyncTypebox = async (app) => {
  allowAnyone(app);

  app.get('/curriculum.json', { schema: getCurriculumSchema }, async (_request, reply) =>
    reply.type('application/schema+json; charset=utf-8').send(schema),
  );
};

import { errorResponses } from '@lms/contracts/envelope';
import { Type } from '@sinclair/typebox';

export const getCurriculumSchema = {
  operationId: 'getCurriculumSchema',
  summary: 'Returns the JSON Schema of curriculum.json',
  description: 'The format of imports and exports. The response is the schema itself, without an envelope.',
  tags: ['Import and export'],
  security: [],
  response: {
    200: {
      description: 'JSON Schema 2020-12',
      content: { 'application/schema+json': { schema: Type.Unsafe<unknown>({ type: 'object' }) } },
    },
    ...errorResponses(401, 403, 503),
  },
};

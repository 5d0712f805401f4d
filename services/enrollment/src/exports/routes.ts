import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import * as schemas from './schemas.ts';

interface Options {
  deps: {
    /** By key of the exported JSON: a function that reads the rows of a user in batches. */
    collections: Record<string, (userId: string) => AsyncIterable<object[]>>;
  };
}

/** For identity, which sends the passport of the user who exports their data. */
export const exportRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps: { collections } }) => {
  requireRole(app);

  app.get('/export', { schema: schemas.exportOwnData }, async (request, reply) => {
    const { userId } = caller(request);
    return reply.type('application/json; charset=utf-8').send(Readable.from(toJson(collections, userId)));
  });
};

async function* toJson(collections: Options['deps']['collections'], userId: string) {
  let text = '{"success":true,"data":{';
  for (const [index, [name, read]] of Object.entries(collections).entries()) {
    text += `${index > 0 ? ',' : ''}"${name}":[`;
    let separator = '';
    for await (const rows of read(userId)) {
      if (rows.length === 0) continue;
      yield text + separator + rows.map((row) => JSON.stringify(row)).join(',');
      [text, separator] = ['', ','];
    }
    text += ']';
  }
  yield `${text}}}`;
}

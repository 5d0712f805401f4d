import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import { toWire } from '@lms/contracts/wire';
import * as schemas from './schemas.ts';

interface Options {
  deps: {
    /** By key of the exported JSON: a function that lists the rows of a user. */
    collections: Record<string, (userId: string) => Promise<object[]>>;
  };
}

/** For identity, which sends the passport of the user who exports their data. */
export const exportRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app);

  app.get('/export', { schema: schemas.exportOwnData }, async (request) => {
    const { userId } = caller(request);
    const entries = Object.entries(deps.collections).map(
      async ([name, list]) => [name, (await list(userId)).map(toWire)] as const,
    );
    return ok(Object.fromEntries(await Promise.all(entries)));
  });
};

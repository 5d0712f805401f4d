import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import { toWire } from '@lms/contracts/wire';
import * as schemas from './schemas.ts';

interface Options {
  deps: {
    /** What each room holds about a user, by the name that it has in the export. */
    collections: Record<string, (userId: string) => Promise<object[]>>;
  };
}

/** Identity, on context of whoever asks for what is held about them. */
export const exportRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app);

  app.get('/export', { schema: schemas.exportOwnData }, async (request) => {
    const { userId } = caller(request);
    const held = Object.entries(deps.collections).map(
      async ([name, list]) => [name, (await list(userId)).map(toWire)] as const,
    );
    return ok(Object.fromEntries(await Promise.all(held)));
  });
};

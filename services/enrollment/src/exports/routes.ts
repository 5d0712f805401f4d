import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import { toWire } from '@lms/contracts/wire';
import { limitConcurrency, onceSent } from '@lms/service/limit-concurrency';
import * as schemas from './schemas.ts';

interface Options {
  deps: {
    /** By key of the exported JSON: a function that lists the rows of a user. */
    collections: Record<string, (userId: string) => Promise<object[]>>;
  };
}

// An export is in memory as a whole. Others wait for less time than identity waits for the response.
const limits = { max: 1, maxWaitMs: 1_000 };
const maxSendingMs = 30_000;

/** For identity, which sends the passport of the user who exports their data. */
export const exportRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app);
  const begin = limitConcurrency(limits);

  app.get('/export', { schema: schemas.exportOwnData }, async (request, reply) => {
    const { userId } = caller(request);
    const end = await begin(userId);
    try {
      const entries = Object.entries(deps.collections).map(
        async ([name, list]) => [name, (await list(userId)).map(toWire)] as const,
      );
      return ok(Object.fromEntries(await Promise.all(entries)));
    } finally {
      onceSent(reply, end, maxSendingMs);
    }
  });
};

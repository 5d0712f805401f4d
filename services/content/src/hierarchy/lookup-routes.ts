import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { HierarchyDeps } from './deps.ts';
import * as schemas from './internal-schemas.ts';
import { lookUpSubjects } from './look-up-subjects.ts';

// 500 external ids of 200 characters.
const maxBytes = 1_024 * 1_024;

interface Options {
  deps: Pick<HierarchyDeps, 'database'>;
}

/** For other services, with the passport of an admin. */
export const lookupRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps: { database } }) => {
  requireRole(app, 'ADMIN');

  app.post('/subjects/lookup', { bodyLimit: maxBytes, schema: schemas.lookUpSubjects }, async ({ body }) =>
    ok(await lookUpSubjects(database.db, body)),
  );
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireRole } from '@lms/auth/require-role';
import type { Database } from '@lms/database/connect';
import { pageResponse } from '@lms/service/page-response';
import { toAuditEntry } from './presenter.ts';
import { audit } from './repository.ts';
import * as schemas from './schemas.ts';

interface Options {
  deps: { database: Database };
}

export const adminRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps: { database } }) => {
  requireRole(app, 'ADMIN');

  app.get('/audit', { schema: schemas.listAudit }, async (request, reply) => {
    const { items, total } = await audit(database.db).list(request.query);
    return pageResponse(request, reply, request.query, { items: items.map(toAuditEntry), total });
  });
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireRole } from '@lms/auth/require-role';
import { onWire } from '@lms/contracts/wire';
import type { Database } from '@lms/database/connect';
import { pageOf } from '@lms/server/send-page';
import { audit } from './repository.ts';
import { ListAudit } from './schemas.ts';

interface Options {
  deps: { database: Database };
}

export const admins: FastifyPluginAsyncTypebox<Options> = async (app, { deps: { database } }) => {
  requireRole(app, 'ADMIN');

  app.get('/audit', { schema: ListAudit }, async (request, reply) => {
    const { items, total } = await audit(database.db).list(request.query);
    return pageOf(request, reply, request.query, { items: items.map(onWire), total });
  });
};

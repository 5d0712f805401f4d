import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { causeOf } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import { toWire } from '@lms/contracts/wire';
import type { Database } from '@lms/database/connect';
import { pageResponse } from '@lms/service/page-response';
import { invalid } from '@lms/service/problems';
import { assignRole } from '../users/assign-role.ts';
import { endRole } from '../users/end-role.ts';
import { assignments } from '../users/role-repository.ts';
import * as schemas from '../users/role-schemas.ts';
import type { People } from './people.ts';

interface Options {
  deps: { database: Database; people: People };
}

export const adminRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps: { database, people } }) => {
  requireRole(app, 'ADMIN');

  app.get('/:id/roles', { schema: schemas.listUserRoles }, async (request, reply) => {
    const { params, query } = request;
    await people.get(database.db, params.id);
    const { items, total } = await assignments(database.db).list(params.id, query);
    return pageResponse(request, reply, query, { items: items.map(toWire), total });
  });

  app.post('/:id/roles', { schema: schemas.assignRole }, async (request, reply) => {
    const { params, body } = request;
    const assignment = await assignRole(await request.writeDb(), people, params.id, body.role, causeOf(request));
    return reply.code(201).send(ok(toWire(assignment), schemas.messages.assigned));
  });

  app.delete('/:id/roles', { schema: schemas.endRole }, async (request) => {
    const { params, query, body } = request;
    const role = body.role ?? query.role;
    if (!role) throw invalid({ field: 'role', message: 'is required' });
    if (query.role && query.role !== role)
      throw invalid({ field: 'role', message: 'must be the same in body and query', value: query.role });
    return ok(toWire(await endRole(database.db, people, params.id, role, causeOf(request))), schemas.messages.removed);
  });
};

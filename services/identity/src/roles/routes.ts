import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { causeOf } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import { onWire } from '@lms/contracts/wire';
import type { Database } from '@lms/database/connect';
import { assignRole } from './assign-role.ts';
import type { People } from './people.ts';
import { AssignRole } from './schemas.ts';

interface Options {
  deps: { database: Database; people: People };
}

export const admins: FastifyPluginAsyncTypebox<Options> = async (app, { deps: { database, people } }) => {
  requireRole(app, 'ADMIN');

  app.post('/:id/roles', { schema: AssignRole }, async (request, reply) => {
    const { params, body } = request;
    const assignment = await assignRole(database.db, people, params.id, body.role, causeOf(request));
    return reply.code(201).send(ok(onWire(assignment)));
  });
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { pageResponse } from '@lms/service/page-response';
import type { HierarchyDeps } from './deps.ts';
import { lists } from './list-repository.ts';
import { fullView, toNode } from './presenter.ts';
import * as schemas from './schemas.ts';

interface Options {
  deps: HierarchyDeps;
}

/** What mentors look after. */
export const mentors: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'MENTOR');
  const view = fullView(deps.publicUrl);
  const repository = lists(deps.database.db);

  app.get('/subjects', { schema: schemas.listMentoredSubjects }, async (request, reply) => {
    const { identityProviderId, email, emailVerified } = caller(request);
    const mentor = { identityProviderId, email: emailVerified ? email.toLowerCase() : null };
    const total = await repository.countMentored(mentor, request.query);
    const found = await repository.listMentored(mentor, request.query);
    return pageResponse(request, reply, request.query, {
      items: found.map((subject) => toNode(subject, view)),
      total,
    });
  });
};

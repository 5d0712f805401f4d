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

/** Requires the role MENTOR. */
export const mentorRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'MENTOR');
  const view = fullView(deps.publicUrl);
  const repository = lists(deps.database.db);

  app.get('/subjects', { schema: schemas.listMentoredSubjects }, async (request, reply) => {
    const { identityProviderId, email, emailVerified } = caller(request);
    const mentor = { identityProviderId, email: emailVerified ? email.toLowerCase() : null };
    const total = await repository.countMentored(mentor, request.query);
    const subjects = await repository.listMentored(mentor, request.query);
    const items = subjects.map((subject) => toNode(subject, view));
    return pageResponse(request, reply, request.query, { items, total });
  });
};

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller, causeOf } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { Database } from '@lms/database/connect';
import { pageResponse } from '@lms/service/page-response';
import { applyAsMentor } from './apply-as-mentor.ts';
import type { ApplicationDeps } from './deps.ts';
import { toApplication } from './presenter.ts';
import { applications } from './repository.ts';
import { reviewApplication } from './review-application.ts';
import * as schemas from './schemas.ts';
import { withdrawApplication } from './withdraw-application.ts';

interface Options {
  deps: ApplicationDeps & { database: Database };
}

export const learnerRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'LEARNER');

  app.post('/apply', { schema: schemas.applyAsMentor }, async (request, reply) => {
    const { motivation, experience, qualifications, subjectIds = [] } = request.body;
    const input = {
      userId: caller(request).userId,
      motivation: motivation || null,
      experience: experience || null,
      qualifications: qualifications || null,
      subjectIds,
    };
    const application = await applyAsMentor(await request.writeDb(), deps, input, causeOf(request));
    return reply.code(201).send(ok(toApplication(application), schemas.messages.submitted));
  });
};

export const applicantRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps: { database } }) => {
  requireRole(app);

  app.get('/application', { schema: schemas.listOwnMentorApplications }, async (request, reply) => {
    const own = { ...request.query, userId: caller(request).userId };
    const { items, total } = await applications(database.db).list(own);
    return pageResponse(request, reply, request.query, { items: items.map(toApplication), total });
  });

  app.post('/applications/:id/withdraw', { schema: schemas.withdrawMentorApplication }, async (request) => {
    const { userId } = caller(request);
    const withdrawn = await withdrawApplication(await request.writeDb(), request.params.id, userId, causeOf(request));
    return ok(toApplication(withdrawn), schemas.messages.withdrawn);
  });
};

export const adminRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN');
  const { db } = deps.database;

  app.get('/pending', { schema: schemas.listPendingMentorApplications }, async (request, reply) => {
    const pending = { ...request.query, status: 'PENDING', searchesApplicants: true } as const;
    const { items, total } = await applications(db).list(pending);
    return pageResponse(request, reply, request.query, { items: items.map(toApplication), total });
  });

  app.get('/', { schema: schemas.listMentorApplications }, async (request, reply) => {
    const { items, total } = await applications(db).list({ ...request.query, searchesApplicants: true });
    return pageResponse(request, reply, request.query, { items: items.map(toApplication), total });
  });

  app.get('/:id', { schema: schemas.getMentorApplication }, async (request) =>
    ok(toApplication(await applications(db).get(request.params.id))),
  );

  app.put('/:id/approve', { schema: schemas.approveMentorApplication }, async (request) => {
    const review = { id: request.params.id, decision: 'approved', note: request.body.note || null } as const;
    const approved = await reviewApplication(await request.writeDb(), deps, review, causeOf(request));
    return ok(toApplication(approved), schemas.messages.approved);
  });

  app.put('/:id/reject', { schema: schemas.rejectMentorApplication }, async (request) => {
    const review = { id: request.params.id, decision: 'rejected', note: request.body.reason || null } as const;
    const rejected = await reviewApplication(await request.writeDb(), deps, review, causeOf(request));
    return ok(toApplication(rejected), schemas.messages.rejected);
  });
};

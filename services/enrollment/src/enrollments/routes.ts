import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller, causeOf } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { Principal } from '@lms/contracts/passport';
import type { Database } from '@lms/database/connect';
import { pageResponse } from '@lms/service/page-response';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import { requestEnrollment, type SubjectSnapshot } from './open-enrollment.ts';
import { ownEnrollments } from './own-repository.ts';
import { toEnrollment, toOwnEnrollment } from './presenter.ts';
import { enrollments } from './repository.ts';
import * as schemas from './schemas.ts';
import { transitionMessage } from './states.ts';
import { transitionEnrollment } from './transition-enrollment.ts';

interface Options {
  deps: {
    database: Pick<Database, 'db'>;
    /** @throws a 404 if the subject is unknown or not live */
    getLiveSubject: (context: CallContext, id: string) => Promise<SubjectSnapshot>;
    /** Stores the caller's names and e-mail unless an event has already done so. */
    registerCaller: (caller: Principal) => Promise<void>;
  };
}

interface InternalOptions {
  deps: Pick<Options['deps'], 'database'>;
}

export const learnerRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'LEARNER');

  app.post('/request', { schema: schemas.requestEnrollment }, async (request, reply) => {
    const { subjectId, message } = request.body;
    const user = caller(request);
    const subject = await deps.getLiveSubject(callContextOf(request), subjectId);
    await deps.registerCaller(user);
    const input = { userId: user.userId, subject, message: message || null };
    const requested = await requestEnrollment(await request.writeDb(), input, causeOf(request));
    return reply.code(201).send(ok(toEnrollment(requested), schemas.enrollmentRequested));
  });
};

/** For every user, also without the role LEARNER: a user who has lost it keeps access to their own enrollments. */
export const ownerRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app);
  const { db } = deps.database;

  app.get('', { schema: schemas.listEnrollments }, async (request, reply) => {
    const { userId } = caller(request);
    const { items, total } = await ownEnrollments(db).list(userId, request.query, request.query);
    return pageResponse(request, reply, request.query, { items: items.map(toOwnEnrollment), total });
  });

  app.get('/:id', { schema: schemas.getEnrollment }, async (request) => {
    const { userId } = caller(request);
    return ok(toEnrollment(await enrollments(db).get({ id: request.params.id, userId })));
  });

  for (const [name, schema] of [
    ['cancel', schemas.cancelEnrollment],
    ['withdraw', schemas.withdrawEnrollment],
  ] as const)
    app.post(`/:id/${name}`, { schema }, async (request) => {
      const { userId } = caller(request);
      const key = { id: request.params.id, userId };
      const input = { actorId: userId };
      const updated = await transitionEnrollment(await request.writeDb(), name, key, input, causeOf(request));
      return ok(toEnrollment(updated), transitionMessage(name));
    });
};

/** For content, which sends the passport of its caller. */
export const internalRoutes: FastifyPluginAsyncTypebox<InternalOptions> = async (app, { deps }) => {
  requireRole(app);
  const { db } = deps.database;

  app.get('', { schema: schemas.listEnrolledSubjects }, async (request) =>
    ok(await enrollments(db).listActiveSubjectIds(caller(request).userId)),
  );

  app.get('/:id/access', { schema: schemas.getEnrollmentAccess }, async (request) => {
    const subjectId = request.params.id;
    const active = await enrollments(db).findActive(caller(request).userId, subjectId);
    return ok({ subjectId, granted: active !== undefined, expiresAt: active?.expiresAt?.toISOString() ?? null });
  });
};

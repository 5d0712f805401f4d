import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller, causeOf } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { Principal } from '@lms/contracts/passport';
import { toWire } from '@lms/contracts/wire';
import type { Database } from '@lms/database/connect';
import { pageResponse } from '@lms/service/page-response';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import type { SubjectSnapshot } from './open-enrollment.ts';
import { enrollments } from './repository.ts';
import { requestEnrollment } from './request-enrollment.ts';
import * as schemas from './schemas.ts';
import { transitionMessage } from './states.ts';
import { transitionEnrollment } from './transition-enrollment.ts';

interface Options {
  deps: {
    database: Pick<Database, 'db'>;
    /** Asks content for a subject; one that is unknown or not live is a 404. */
    getLiveSubject: (context: CallContext, id: string) => Promise<SubjectSnapshot>;
    /** Notes the caller unless an event has told of them already. */
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
    const asked = { userId: user.userId, subject, message: message || null };
    const enrollment = await requestEnrollment(await request.writeDb(), asked, causeOf(request));
    return reply.code(201).send(ok(toWire(enrollment), schemas.enrollmentRequested));
  });
};

/** Whoever has enrollments sees and ends their own, whatever roles they hold by now. */
export const ownerRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app);
  const { db } = deps.database;

  app.get('', { schema: schemas.listEnrollments }, async (request, reply) => {
    const { userId } = caller(request);
    const { items, total } = await enrollments(db).list({ ...request.query, userId }, request.query, 'owner');
    return pageResponse(request, reply, request.query, { items: items.map(toWire), total });
  });

  app.get('/:id', { schema: schemas.getEnrollment }, async (request) => {
    const { userId } = caller(request);
    return ok(toWire(await enrollments(db).get({ id: request.params.id, userId })));
  });

  for (const [move, schema] of [
    ['cancel', schemas.cancelEnrollment],
    ['withdraw', schemas.withdrawEnrollment],
  ] as const)
    app.post(`/:id/${move}`, { schema }, async (request) => {
      const { userId } = caller(request);
      const which = { id: request.params.id, userId };
      const moved = await transitionEnrollment(
        await request.writeDb(),
        move,
        which,
        { actorId: userId },
        causeOf(request),
      );
      return ok(toWire(moved), transitionMessage(move));
    });
};

/** Content and media, on context of whoever calls them. */
export const internalRoutes: FastifyPluginAsyncTypebox<InternalOptions> = async (app, { deps }) => {
  requireRole(app);

  app.get('', { schema: schemas.listEnrolledSubjects }, async (request) =>
    ok(await enrollments(deps.database.db).listActiveSubjectIds(caller(request).userId)),
  );

  app.get('/:id/access', { schema: schemas.getEnrollmentAccess }, async (request) => {
    const subjectId = request.params.id;
    const inForce = await enrollments(deps.database.db).findActive(caller(request).userId, subjectId);
    const expiresAt = inForce?.expiresAt?.toISOString() ?? null;
    return ok({ subjectId, granted: inForce !== undefined, expiresAt });
  });
};

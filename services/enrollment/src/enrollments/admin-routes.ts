import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller, causeOf } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import { toWire } from '@lms/contracts/wire';
import type { Database } from '@lms/database/connect';
import { pageResponse } from '@lms/service/page-response';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import * as schemas from './admin-schemas.ts';
import { decideEnrollments } from './decide-enrollments.ts';
import { enrollUser } from './enroll-user.ts';
import { parseExpiresAt } from './future-of.ts';
import type { SubjectSnapshot } from './open-enrollment.ts';
import { enrollments } from './repository.ts';
import { transitionMessage } from './states.ts';
import { transitionEnrollment } from './transition-enrollment.ts';

interface Options {
  deps: {
    database: Pick<Database, 'db'>;
    /** Asks content for a subject; one that is unknown or not live is a 404. */
    getLiveSubject: (context: CallContext, id: string) => Promise<SubjectSnapshot>;
    /** Makes sure that a user exists; one that is unknown or deleted is a 404. */
    ensureUser: (context: CallContext, id: string) => Promise<void>;
  };
}

export const adminRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN');
  const { db } = deps.database;

  app.get('/pending', { schema: schemas.listPendingEnrollments }, async (request, reply) => {
    const { items, total } = await enrollments(db).list(
      { ...request.query, status: 'PENDING' },
      request.query,
      'admin',
    );
    return pageResponse(request, reply, request.query, { items: items.map(toWire), total });
  });

  app.get('', { schema: schemas.listAllEnrollments }, async (request, reply) => {
    const { items, total } = await enrollments(db).list(request.query, request.query, 'admin');
    return pageResponse(request, reply, request.query, { items: items.map(toWire), total });
  });

  app.post('', { schema: schemas.enrollUser }, async (request, reply) => {
    const { userId, subjectId } = request.body;
    const expiresAt = parseExpiresAt(request.body.expiresAt);
    const context = callContextOf(request);
    const [subject] = await Promise.all([deps.getLiveSubject(context, subjectId), deps.ensureUser(context, userId)]);
    const given = { userId, subject, expiresAt, adminId: caller(request).userId };
    return reply
      .code(201)
      .send(ok(toWire(await enrollUser(await request.writeDb(), given, causeOf(request))), schemas.userEnrolled));
  });

  app.put('/:id/approve', { schema: schemas.approveEnrollment }, async (request) => {
    const { expiresAt, reason } = request.body;
    const moving = { actorId: caller(request).userId, reason: reason || null, expiresAt: parseExpiresAt(expiresAt) };
    const approved = await transitionEnrollment(db, 'approve', request.params, moving, causeOf(request));
    return ok(toWire(approved), transitionMessage('approve'));
  });

  for (const [move, schema] of [
    ['reject', schemas.rejectEnrollment],
    ['revoke', schemas.revokeEnrollment],
  ] as const)
    app.put(`/:id/${move}`, { schema }, async (request) => {
      const moving = { actorId: caller(request).userId, reason: request.body.reason || null };
      const moved = await transitionEnrollment(db, move, request.params, moving, causeOf(request));
      return ok(toWire(moved), transitionMessage(move));
    });

  app.post('/bulk', { schema: schemas.decideEnrollments }, async (request) => {
    const { action, ids, reason } = request.body;
    const moving = { actorId: caller(request).userId, reason: reason || null };
    const outcomes = await decideEnrollments(await request.writeDb(), action, ids, moving, causeOf(request));
    const done = outcomes.filter((outcome) => outcome.ok).length;
    return ok(outcomes, schemas.bulkMessage(action, done, ids.length));
  });
};

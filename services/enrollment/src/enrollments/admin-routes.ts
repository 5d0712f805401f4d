import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller, causeOf } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { Database, Db } from '@lms/database/connect';
import { pageResponse } from '@lms/service/page-response';
import { invalid } from '@lms/service/problems';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import type { SendCsv } from '../csv-routes.ts';
import * as schemas from './admin-schemas.ts';
import { decideEnrollments } from './decide-enrollments.ts';
import { enrollmentLists } from './list-repository.ts';
import { enrollUser, type SubjectSnapshot } from './open-enrollment.ts';
import { csvColumns, toCsvRow, toEnrollment } from './presenter.ts';
import type { EnrollmentFilter } from './repository.ts';
import { readSnapshot } from './snapshot-repository.ts';
import { transitionMessage } from './states.ts';
import { transitionEnrollment } from './transition-enrollment.ts';

interface Options {
  deps: {
    database: Pick<Database, 'db'>;
    /** @throws a 404 if the subject is unknown or not live */
    getLiveSubject: (context: CallContext, id: string) => Promise<SubjectSnapshot>;
    /** @throws a 404 if the user is unknown or deleted */
    ensureUser: (context: CallContext, id: string) => Promise<void>;
  };
}

interface CsvOptions {
  deps: Pick<Options['deps'], 'database'> & { sendCsv: SendCsv };
}

export const adminRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN');
  const { db } = deps.database;

  app.get('/pending', { schema: schemas.listPendingEnrollments }, async (request, reply) => {
    const filter = { ...request.query, status: 'PENDING' } as const;
    const { items, total } = await enrollmentLists(db).list(filter, request.query, 'admin');
    return pageResponse(request, reply, request.query, { items: items.map(toEnrollment), total });
  });

  app.get('', { schema: schemas.listAllEnrollments }, async (request, reply) => {
    const { items, total } = await enrollmentLists(db).list(request.query, request.query, 'admin');
    return pageResponse(request, reply, request.query, { items: items.map(toEnrollment), total });
  });

  app.post('', { schema: schemas.enrollUser }, async (request, reply) => {
    const { userId, subjectId } = request.body;
    const expiresAt = parseExpiresAt(request.body.expiresAt);
    const context = callContextOf(request);
    await deps.ensureUser(context, userId);
    const subject = await deps.getLiveSubject(context, subjectId);
    const input = { userId, subject, expiresAt, adminId: caller(request).userId };
    const enrolled = await enrollUser(await request.writeDb(), input, causeOf(request));
    return reply.code(201).send(ok(toEnrollment(enrolled), schemas.userEnrolled));
  });

  app.put('/:id/approve', { schema: schemas.approveEnrollment }, async (request) => {
    const { expiresAt, reason } = request.body;
    const input = { actorId: caller(request).userId, reason: reason || null, expiresAt: parseExpiresAt(expiresAt) };
    const approved = await transitionEnrollment(
      await request.writeDb(),
      'approve',
      request.params,
      input,
      causeOf(request),
    );
    return ok(toEnrollment(approved), transitionMessage('approve'));
  });

  for (const [name, schema] of [
    ['reject', schemas.rejectEnrollment],
    ['revoke', schemas.revokeEnrollment],
  ] as const)
    app.put(`/:id/${name}`, { schema }, async (request) => {
      const input = { actorId: caller(request).userId, reason: request.body.reason || null };
      const updated = await transitionEnrollment(
        await request.writeDb(),
        name,
        request.params,
        input,
        causeOf(request),
      );
      return ok(toEnrollment(updated), transitionMessage(name));
    });

  app.post('/bulk', { schema: schemas.decideEnrollments }, async (request) => {
    const { action, ids, reason } = request.body;
    const input = { actorId: caller(request).userId, reason: reason || null };
    const results = await decideEnrollments(await request.writeDb(), action, ids, input, causeOf(request));
    const succeeded = results.filter((result) => result.ok).length;
    return ok(results, schemas.bulkMessage(action, succeeded, ids.length));
  });
};

/** The path ends with the type of the file, so it is not below that of the lists. */
export const csvRoutes: FastifyPluginAsyncTypebox<CsvOptions> = async (app, { deps }) => {
  requireRole(app, 'ADMIN');

  app.get('/enrollment.csv', { schema: schemas.exportEnrollments }, async (request, reply) =>
    deps.sendCsv(request, reply, {
      fileName: 'enrollments.csv',
      columns: csvColumns,
      batches: readRows(deps.database.db, request.query),
    }),
  );
};

async function* readRows(db: Db, filter: EnrollmentFilter) {
  for await (const { rows } of readSnapshot(db, filter, 'admin')) yield rows.map(toCsvRow);
}

/** @throws a 422 if the time has already passed */
function parseExpiresAt(value: string | null | undefined): Date | null {
  if (value === null || value === undefined) return null;
  const expiresAt = new Date(value);
  if (expiresAt.getTime() > Date.now()) return expiresAt;
  throw invalid({ field: 'expiresAt', message: 'must be in the future', value });
}

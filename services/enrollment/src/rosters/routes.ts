import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import type { EnrollmentStatus } from '@lms/contracts/events/enrollment';
import { toWire } from '@lms/contracts/wire';
import type { DateRange, SortRequest } from '@lms/database/paging';
import { type PageResult, pageResponse } from '@lms/service/page-response';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import type { SendCsv } from '../csv-routes.ts';
import { requireMentor } from './require-mentor.ts';
import * as schemas from './schemas.ts';

interface LearnerFilter extends DateRange {
  subjectId: string;
  status: EnrollmentStatus;
  search?: string;
}
type LearnerSort = SortRequest<'requestedAt' | 'decidedAt' | 'status' | 'createdAt' | 'updatedAt'>;

interface LearnerRow {
  enrollment: {
    id: string;
    status: EnrollmentStatus;
    requestedAt: Date;
    decidedAt: Date | null;
    expiresAt: Date | null;
    endedAt: Date | null;
  };
  user: { id: string; email: string; firstName: string | null; lastName: string | null };
}

interface Progress {
  total: number;
  completed: number;
  percent: number;
}

interface Options {
  deps: {
    sendCsv: SendCsv;
    /** All enrollments in a subject with their progress, in batches from one snapshot. */
    readLearners: (filter: LearnerFilter) => AsyncGenerator<{ row: LearnerRow; progress: Progress }[]>;
    /** A subject; a deleted one for administrators only. `mentorId` is an identity-provider user id. @throws content's 404 */
    getSubject: (context: CallContext, id: string) => Promise<{ id: string; mentorId: string | null }>;
    /** The enrollments in a subject; `search` matches names and e-mails. */
    listLearners: (filter: LearnerFilter, page: LearnerSort) => Promise<PageResult<LearnerRow>>;
    /** Returns a function that returns the progress of one of the users, counting live topics only. */
    summarizeProgress: (subjectId: string, userIds: string[]) => Promise<(userId: string) => Progress>;
  };
}

/** For administrators and the mentor of the subject. */
export const mentorRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR');

  app.get('/:id/learners', { schema: schemas.listLearners }, async (request, reply) => {
    const subject = await deps.getSubject(callContextOf(request), request.params.id);
    requireMentor(caller(request), subject);

    const filter = { ...request.query, subjectId: subject.id };
    const { items: rows, total } = await deps.listLearners(filter, request.query);
    const progressOf = await deps.summarizeProgress(
      subject.id,
      rows.map(({ user }) => user.id),
    );
    const items = rows.map(({ user, enrollment }) => ({
      user,
      enrollment: toWire(enrollment),
      progress: progressOf(user.id),
    }));
    return pageResponse(request, reply, request.query, { items, total });
  });

  app.get('/:id/learners.csv', { schema: schemas.exportLearners }, async (request, reply) => {
    const subject = await deps.getSubject(callContextOf(request), request.params.id);
    requireMentor(caller(request), subject);
    return deps.sendCsv(request, reply, {
      fileName: `learners-${subject.id}.csv`,
      columns: schemas.learnerColumns,
      batches: readRows(deps.readLearners({ ...request.query, subjectId: subject.id })),
    });
  });
};

async function* readRows(batches: ReturnType<Options['deps']['readLearners']>) {
  for await (const learners of batches) yield learners.map(toCsvRow);
}

function toCsvRow({ row: { user, enrollment }, progress }: { row: LearnerRow; progress: Progress }) {
  const { email, firstName, lastName } = user;
  const { id: enrollmentId, status, requestedAt, decidedAt, expiresAt, endedAt } = enrollment;
  const times = toWire({ requestedAt, decidedAt, expiresAt, endedAt });
  return { email, firstName, lastName, userId: user.id, enrollmentId, status, ...times, ...progress };
}

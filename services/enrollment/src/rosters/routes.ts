import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import type { EnrollmentStatus } from '@lms/contracts/events/enrollment';
import { toWire } from '@lms/contracts/wire';
import type { DateRange, SortRequest } from '@lms/database/paging';
import { type PageResult, pageResponse } from '@lms/service/page-response';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import { requireMentor } from './require-mentor.ts';
import * as schemas from './schemas.ts';

interface LearnerFilter extends DateRange {
  subjectId: string;
  status: EnrollmentStatus;
  search?: string;
}
type LearnerSort = SortRequest<'requestedAt' | 'decidedAt' | 'status' | 'createdAt' | 'updatedAt'>;

interface LearnerRow {
  id: string;
  status: EnrollmentStatus;
  requestedAt: Date;
  decidedAt: Date | null;
  expiresAt: Date | null;
  endedAt: Date | null;
  user: { id: string; email: string; firstName: string | null; lastName: string | null };
}

interface Options {
  deps: {
    /** A subject in whatever state, and the provider's id of its mentor; content's 404 for one that it does not know. */
    getSubject: (context: CallContext, id: string) => Promise<{ id: string; mentorId: string | null }>;
    /** The enrollments in a subject; a search looks into what a mentor sees of the learners. */
    listLearners: (asked: LearnerFilter, page: LearnerSort) => Promise<PageResult<LearnerRow>>;
    /** How far each of some users is in a subject, counting live topics only. */
    summarizeProgress: (
      subjectId: string,
      userIds: string[],
    ) => Promise<(userId: string) => { total: number; completed: number; percent: number }>;
  };
}

/** Administrators and the subject's own mentor. */
export const mentorRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN', 'MENTOR');

  app.get('/:id/learners', { schema: schemas.listLearners }, async (request, reply) => {
    const subject = await deps.getSubject(callContextOf(request), request.params.id);
    requireMentor(caller(request), subject);

    const asked = { ...request.query, subjectId: subject.id };
    const { items: rows, total } = await deps.listLearners(asked, request.query);
    const progressOf = await deps.summarizeProgress(
      subject.id,
      rows.map(({ user }) => user.id),
    );
    const items = rows.map(({ user, ...enrollment }) => ({
      user,
      enrollment: toWire(enrollment),
      progress: progressOf(user.id),
    }));
    return pageResponse(request, reply, request.query, { items, total });
  });
};

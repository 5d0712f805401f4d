import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller, causeOf } from '@lms/auth/passports';
import { requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { Database } from '@lms/database/connect';
import type { DateRange, SortRequest } from '@lms/database/paging';
import { type PageResult, pageResponse } from '@lms/service/page-response';
import { invalid } from '@lms/service/problems';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import type { FastifyRequest } from 'fastify';
import { completeTopic } from './complete-topic.ts';
import { toSubjectProgress, toSubjectsProgress, toTopicProgress } from './presenter.ts';
import { topicProgress } from './repository.ts';
import * as schemas from './schemas.ts';

interface Topic {
  id: string;
  subjectId: string;
}

export interface LearnedSubject {
  id: string;
  name: string;
  gradeId: string;
}

interface SubjectQuery extends SortRequest<'name' | 'createdAt' | 'updatedAt'>, DateRange {
  search?: string;
}

interface Options {
  deps: {
    database: Pick<Database, 'db'>;
    /** @throws a 404 if the topic is unknown or not live */
    getLiveTopic: (context: CallContext, id: string) => Promise<Topic>;
    /** The ids of a subject's live topics in order, requested from content. */
    listLiveTopics: (context: CallContext, subjectId: string) => Promise<string[]>;
    /** The live topics of several subjects in the local copy. */
    listLocalTopics: (subjectIds: string[]) => Promise<Topic[]>;
    requireEnrolled: (userId: string, subjectId: string) => Promise<void>;
    /** Accepts past enrollments as well. @throws a 404 if the subject does not exist */
    requireOnceEnrolled: (context: CallContext, userId: string, subjectId: string) => Promise<void>;
    listSubjects: (userId: string, query: SubjectQuery) => Promise<PageResult<LearnedSubject>>;
  };
}

/** For users with an active enrollment in the subject, whatever their roles. */
export const enrolledRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app);
  const { db } = deps.database;

  app.put('/topics/:id/completion', { schema: schemas.completeTopic }, async (request) => {
    const { key, subjectId } = await authorize(request, request.params.id);
    const row = await completeTopic(db, key, subjectId, causeOf(request));
    return ok({ ...toTopicProgress(key.topicId, row), subjectId }, schemas.messages.completed);
  });

  app.delete('/topics/:id/completion', { schema: schemas.reopenTopic }, async (request) => {
    const { key, subjectId } = await authorize(request, request.params.id);
    await topicProgress(db).reopen(key);
    const row = await topicProgress(db).find(key);
    return ok({ ...toTopicProgress(key.topicId, row), subjectId }, schemas.messages.reopened);
  });

  app.put('/topics/:id/position', { schema: schemas.keepPosition }, async (request) => {
    const { positionSeconds, durationSeconds } = request.body;
    if (positionSeconds > durationSeconds)
      throw invalid({
        field: 'positionSeconds',
        message: 'must be at most durationSeconds',
        value: positionSeconds,
      });
    const position = { positionSeconds, durationSeconds };
    const { id: topicId } = request.params;
    const updated = await topicProgress(db).updatePosition({ userId: caller(request).userId, topicId }, position);
    if (updated) return ok({ ...toTopicProgress(topicId, updated), subjectId: updated.subjectId });
    const { key, subjectId } = await authorize(request, request.params.id);
    const row = await topicProgress(db).savePosition(key, position);
    return ok({ ...toTopicProgress(key.topicId, row), subjectId });
  });

  async function authorize(request: FastifyRequest, id: string) {
    const { userId } = caller(request);
    const key = { userId, topicId: id };
    const known = await topicProgress(db).findEnrolledTopic(key);
    if (known) return { key, subjectId: known.subjectId };
    const { subjectId } = await deps.getLiveTopic(callContextOf(request), id);
    await deps.requireEnrolled(userId, subjectId);
    return { key, subjectId };
  }
};

/** For users who are or were enrolled in the subject, whatever their roles. */
export const progressRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app);
  const { db } = deps.database;

  app.get('/topics/:id/progress', { schema: schemas.getTopicProgress }, async (request) => {
    const { userId } = caller(request);
    const context = callContextOf(request);
    const { id: topicId, subjectId } = await deps.getLiveTopic(context, request.params.id);
    await deps.requireOnceEnrolled(context, userId, subjectId);
    const row = await topicProgress(db).find({ userId, topicId });
    return ok({ ...toTopicProgress(topicId, row), subjectId });
  });

  app.get('/subjects/:id/progress', { schema: schemas.getSubjectProgress }, async (request) => {
    const { userId } = caller(request);
    const context = callContextOf(request);
    const subjectId = request.params.id;
    const [topicIds] = await Promise.all([
      deps.listLiveTopics(context, subjectId),
      deps.requireOnceEnrolled(context, userId, subjectId),
    ]);
    return ok(toSubjectProgress(subjectId, topicIds, await topicProgress(db).list(userId, topicIds)));
  });

  app.get('/progress', { schema: schemas.listProgress }, async (request, reply) => {
    const { userId } = caller(request);
    const { items: subjects, total } = await deps.listSubjects(userId, request.query);
    const topics = await deps.listLocalTopics(subjects.map(({ id }) => id));
    const rows = await topicProgress(db).list(
      userId,
      topics.map(({ id }) => id),
    );
    return pageResponse(request, reply, request.query, { items: toSubjectsProgress(subjects, topics, rows), total });
  });
};

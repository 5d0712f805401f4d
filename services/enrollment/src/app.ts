import { passports } from '@lms/auth/passports';
import type { Database, Db } from '@lms/database/connect';
import { isDatabaseOutage } from '@lms/database/errors';
import type { SortRequest } from '@lms/database/paging';
import { idempotency } from '@lms/idempotency/idempotency';
import { createServer } from '@lms/service/create-server';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import type { Registry } from '@lms/telemetry/registry';
import type { FastifyBaseLogger } from 'fastify';
import { createCsvSender } from './csv-routes.ts';
import { adminRoutes, csvRoutes } from './enrollments/admin-routes.ts';
import { importRoutes } from './enrollments/import-routes.ts';
import { enrollmentLists } from './enrollments/list-repository.ts';
import { type EnrollmentFilter, enrollments, type SortField } from './enrollments/repository.ts';
import { requireEnrolled, requireOnceEnrolled } from './enrollments/require-enrolled.ts';
import { internalRoutes, learnerRoutes, ownerRoutes } from './enrollments/routes.ts';
import { readSnapshot } from './enrollments/snapshot-repository.ts';
import { exportRoutes } from './exports/routes.ts';
import { topicProgress } from './learning/repository.ts';
import { enrolledRoutes, progressRoutes } from './learning/routes.ts';
import { summarizeProgress } from './learning/summarize-progress.ts';
import { notes } from './notes/repository.ts';
import { noteRoutes } from './notes/routes.ts';
import { findLiveSubjects } from './outline/find-live-subjects.ts';
import { getLiveSubject, getSubject } from './outline/get-subject.ts';
import { getLiveTopic } from './outline/get-topic.ts';
import { listLiveTopics } from './outline/list-live-topics.ts';
import { outline } from './outline/repository.ts';
import { mentorRoutes } from './rosters/routes.ts';
import { ensureUser } from './users/ensure-user.ts';
import { findUsers } from './users/find-users.ts';
import { users } from './users/repository.ts';

export interface Deps {
  logger: FastifyBaseLogger;
  /** Collects the request metrics. */
  registry?: Registry;
  database: Database;
  /** The gateway's public key, PEM. */
  passportKey: string;
  content: Pick<ServiceClient, 'request'>;
  identity: Pick<ServiceClient, 'request'>;
  /** Wakes the outbox relay, because there may be an event to publish. */
  notifyRelay: () => void;
}

// Fewer than half of the connections of the pool, and less than PostgreSQL waits for the next statement of a transaction.
const csvLimits = { maxFiles: 4, idleMs: 25_000, maxMs: 5 * 60_000 };

/** Registers the routes. Features do not import each other: what one needs of another is passed in here. */
export async function buildApp(options: Deps) {
  const { logger, registry, database, passportKey, content, identity, notifyRelay } = options;
  const { db } = database;
  const app = createServer({ logger, isOutage: isDatabaseOutage, registry, afterWrite: notifyRelay });
  await app.register(passports, { publicKey: passportKey });
  await app.register(idempotency, { db, registry });

  const deps = {
    database,

    getSubject: (context: CallContext, id: string) => getSubject(content, context, id),
    getLiveSubject: (context: CallContext, id: string) => getLiveSubject(db, content, context, id),
    getLiveTopic: (context: CallContext, id: string) => getLiveTopic(db, content, context, id),
    listLiveTopics: (context: CallContext, subjectId: string) => listLiveTopics(db, content, context, subjectId),
    listLocalTopics: outline(db).listLiveTopics,

    ensureUser: (context: CallContext, id: string) => ensureUser(db, identity, context, id),
    registerCaller: users(db).insertIfAbsent,
    directoryOf: (context: CallContext) => ({
      findSubjects: (query: { ids: string[]; externalIds: string[] }) => findLiveSubjects(db, content, context, query),
      findUsers: (query: { ids: string[]; emails: string[] }) => findUsers(db, identity, context, query),
    }),

    requireEnrolled: (userId: string, subjectId: string) => requireEnrolled(db, userId, subjectId),
    requireOnceEnrolled: (context: CallContext, userId: string, subjectId: string) =>
      requireOnceEnrolled(db, userId, subjectId, () => getLiveSubject(db, content, context, subjectId)),
    listLearners: (filter: EnrollmentFilter, page: SortRequest<SortField>) =>
      enrollmentLists(db).list(filter, page, 'mentor'),
    readLearners: (filter: EnrollmentFilter & { subjectId: string }) => readLearners(db, filter),
    sendCsv: createCsvSender(csvLimits),
    listSubjects: enrollments(db).listSubjects,
    summarizeProgress: (subjectId: string, userIds: string[]) => summarizeProgress(db, subjectId, userIds),

    collections: {
      enrollments: inOneBatch(enrollments(db).listByUser),
      progress: inOneBatch(topicProgress(db).listByUser),
      notes: notes(db).readByUser,
    },
  };
  await app.register(learnerRoutes, { prefix: '/api/enrollment', deps });
  await app.register(ownerRoutes, { prefix: '/api/enrollment', deps });
  await app.register(adminRoutes, { prefix: '/api/admin/enrollment', deps });
  await app.register(csvRoutes, { prefix: '/api/admin', deps });
  await app.register(importRoutes, { prefix: '/api/admin/enrollment', deps });
  await app.register(mentorRoutes, { prefix: '/api/mentor/subjects', deps });
  await app.register(enrolledRoutes, { prefix: '/api/learning', deps });
  await app.register(progressRoutes, { prefix: '/api/learning', deps });
  await app.register(noteRoutes, { prefix: '/api/learning', deps });
  await app.register(internalRoutes, { prefix: '/internal/subjects', deps });
  await app.register(exportRoutes, { prefix: '/internal', deps });
  return app;
}

async function* readLearners(db: Db, filter: EnrollmentFilter & { subjectId: string }) {
  for await (const { rows, tx } of readSnapshot(db, filter, 'mentor')) {
    const userIds = rows.map(({ user }) => user.id);
    const progressOf = await summarizeProgress(tx, filter.subjectId, userIds);
    yield rows.map((row) => ({ row, progress: progressOf(row.user.id) }));
  }
}

const inOneBatch = (list: (userId: string) => Promise<object[]>) =>
  async function* (userId: string) {
    yield await list(userId);
  };

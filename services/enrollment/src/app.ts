import { passports } from '@lms/auth/passports';
import type { Database } from '@lms/database/connect';
import { isDatabaseOutage } from '@lms/database/errors';
import type { SortRequest } from '@lms/database/paging';
import { idempotency } from '@lms/idempotency/idempotency';
import { createServer } from '@lms/service/create-server';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import type { Registry } from '@lms/telemetry/registry';
import type { FastifyBaseLogger } from 'fastify';
import { admins } from './enrollments/admin-routes.ts';
import { enrollments, type Filter, type SortField } from './enrollments/repository.ts';
import { requireEnrolled, requireOnceEnrolled } from './enrollments/require-enrolled.ts';
import { learners, neighbours, owners } from './enrollments/routes.ts';
import { exporters } from './exports/routes.ts';
import { measureProgress } from './learning/measure-progress.ts';
import { topicProgress } from './learning/repository.ts';
import { enrolled, onceEnrolled } from './learning/routes.ts';
import { notes } from './notes/repository.ts';
import { writers } from './notes/routes.ts';
import { askSubject } from './outline/ask-subject.ts';
import { findLiveSubject } from './outline/find-live-subject.ts';
import { findLiveTopic, findTopic } from './outline/find-topic.ts';
import { listLiveTopics } from './outline/list-live-topics.ts';
import { outline } from './outline/repository.ts';
import { findUser } from './people/find-user.ts';
import { people } from './people/repository.ts';
import { mentors } from './rosters/routes.ts';

export interface Deps {
  logger: FastifyBaseLogger;
  /** Where requests are measured. */
  registry?: Registry;
  database: Database;
  /** The gateway's public key, PEM. */
  passportKey: string;
  content: Pick<ServiceClient, 'request'>;
  identity: Pick<ServiceClient, 'request'>;
  /** Tells the relay that there may be something to publish. */
  notifyRelay: () => void;
}

/** The floor plan: which room answers where, and what each is handed of its neighbours. */
export async function buildApp(given: Deps) {
  const { logger, registry, database } = given;
  const { passportKey, content, identity, notifyRelay: nudge } = given;
  const { db } = database;
  const app = createServer({ logger, isOutage: isDatabaseOutage, registry });
  await app.register(passports, { publicKey: passportKey });
  await app.register(idempotency, { db, registry });
  app.addHook('onResponse', async ({ method }) => {
    if (method !== 'GET') nudge();
  });

  const subjects = {
    askSubject: (behalf: CallContext, id: string) => askSubject(content, behalf, id),
    findLiveSubject: (behalf: CallContext, id: string) => findLiveSubject(db, content, behalf, id),
    listSubjects: enrollments(db).listSubjects,
  };
  const topics = {
    findLiveTopic: (behalf: CallContext, id: string) => findLiveTopic(db, content, behalf, id),
    findTopic: (behalf: CallContext, id: string) => findTopic(db, content, behalf, id),
    listLiveTopics: (behalf: CallContext, subjectId: string) => listLiveTopics(db, content, behalf, subjectId),
    listHeardTopics: outline(db).listLiveTopics,
  };
  const users = {
    findUser: (behalf: CallContext, id: string) => findUser(db, identity, behalf, id),
    noteCaller: people(db).note,
  };
  const standing = {
    requireEnrolled: (userId: string, subjectId: string) => requireEnrolled(db, userId, subjectId),
    requireOnceEnrolled: (behalf: CallContext, userId: string, subjectId: string) =>
      requireOnceEnrolled(db, userId, subjectId, () => findLiveSubject(db, content, behalf, subjectId)),
    listLearners: (filter: Filter, page: SortRequest<SortField>) => enrollments(db).list(filter, page, 'mentor'),
    measureProgress: (subjectId: string, userIds: string[]) => measureProgress(db, subjectId, userIds),
  };
  const deps = { database, ...subjects, ...topics, ...users, ...standing };
  await app.register(learners, { prefix: '/api/enrollment', deps });
  await app.register(owners, { prefix: '/api/enrollment', deps });
  await app.register(admins, { prefix: '/api/admin/enrollment', deps });
  await app.register(mentors, { prefix: '/api/mentor/subjects', deps });
  await app.register(enrolled, { prefix: '/api/learning', deps });
  await app.register(onceEnrolled, { prefix: '/api/learning', deps });
  await app.register(writers, { prefix: '/api/learning', deps });
  await app.register(neighbours, { prefix: '/internal/subjects', deps: { database } });
  const holdings = {
    enrollments: enrollments(db).listAll,
    progress: topicProgress(db).listAll,
    notes: notes(db).listAll,
  };
  await app.register(exporters, { prefix: '/internal', deps: { holdings } });
  return app;
}

import { passports } from '@lms/auth/passports';
import type { Database } from '@lms/database/connect';
import { isDatabaseOutage } from '@lms/database/failures';
import type { Behalf, Neighbour } from '@lms/server/ask-neighbour';
import { createServer } from '@lms/server/create-server';
import type { FastifyBaseLogger } from 'fastify';
import { admins, learners, neighbours, owners } from './enrollments/routes.ts';
import { findLiveSubject } from './outline/find-live-subject.ts';
import { people } from './people/repository.ts';

export interface Deps {
  logger: FastifyBaseLogger;
  database: Database;
  /** The gateway's public key, PEM. */
  passportKey: string;
  content: Neighbour;
  /** Tells the relay that there may be something to publish. */
  nudge: () => void;
}

export async function buildApp({ logger, database, passportKey, content, nudge }: Deps) {
  const app = createServer({ logger, isOutage: isDatabaseOutage });
  await app.register(passports, { publicKey: passportKey });
  app.addHook('onResponse', async (request) => {
    if (request.method !== 'GET') nudge();
  });

  const deps = {
    database,
    findLiveSubject: (behalf: Behalf, id: string) => findLiveSubject(database.db, content, behalf, id),
    noteCaller: people(database.db).noteCaller,
  };
  await app.register(learners, { prefix: '/api/enrollment', deps });
  await app.register(owners, { prefix: '/api/enrollment', deps });
  await app.register(admins, { prefix: '/api/admin/enrollment', deps });
  await app.register(neighbours, { prefix: '/internal/subjects', deps });
  return app;
}

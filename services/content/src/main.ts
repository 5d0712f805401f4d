import { runService } from '@lms/service/run-service';
import { createServiceClient } from '@lms/service/service-client';
import { buildApp } from './app.ts';
import { Config } from './config.ts';
import { consumers, onEnrollmentChanged } from './consumers.ts';
import { createEntitlement } from './entitlement/create-entitlement.ts';
import { purgeDeleted } from './hierarchy/purge-deleted.ts';

const purgeIntervalMs = 3_600_000;

await runService({
  name: 'content',
  config: Config,
  migrations: new URL('../migrations', import.meta.url),
  async build({ config, database, ...context }) {
    const enrollment = createServiceClient(config.ENROLLMENT_URL);
    const identity = createServiceClient(config.IDENTITY_URL);
    const entitlement = createEntitlement(enrollment);
    const app = await buildApp({
      ...context,
      database,
      passportKey: config.PASSPORT_PUBLIC_KEY,
      entitlement,
      identity,
      contentIsPublic: config.CONTENT_VISIBILITY === 'public',
      publicUrl: config.PUBLIC_URL,
    });
    const purge = () => purgeDeleted(database.db, config.CONTENT_RETENTION_DAYS);
    return {
      app,
      consumers,
      subscriptions: [onEnrollmentChanged(entitlement)],
      jobs: [{ name: 'purge deleted content', intervalMs: purgeIntervalMs, run: purge }],
      close: () => Promise.all([enrollment.close(), identity.close()]),
    };
  },
});

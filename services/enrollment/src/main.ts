import { runService } from '@lms/service/run-service';
import { createServiceClient } from '@lms/service/service-client';
import { buildApp } from './app.ts';
import { Config } from './config.ts';
import { consumers } from './consumers.ts';
import { expireEnrollments } from './enrollments/expire-enrollments.ts';

// Access ends at `expiresAt`; the event and the stored status follow within this interval.
const expiryIntervalMs = 5_000;

await runService({
  name: 'enrollment',
  config: Config,
  migrations: new URL('../migrations', import.meta.url),
  async build({ config, database, ...context }) {
    const content = createServiceClient(config.CONTENT_URL);
    const identity = createServiceClient(config.IDENTITY_URL);
    return {
      app: await buildApp({ ...context, database, passportKey: config.PASSPORT_PUBLIC_KEY, content, identity }),
      consumers,
      jobs: [{ name: 'expire enrollments', intervalMs: expiryIntervalMs, run: () => expireEnrollments(database.db) }],
      close: () => Promise.all([content.close(), identity.close()]),
    };
  },
});

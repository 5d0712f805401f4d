import type { ServiceContext } from '@lms/service/run-service';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { consumers } from './consumers.ts';
import { expireEnrollments } from './enrollments/expire-enrollments.ts';

// Access ends at `expiresAt`; the event and the stored status follow within this interval.
const expiryIntervalMs = 5_000;

/** Creates the app and its consumers and jobs from the settings and the connections of the process. */
export async function build({ config, createClient, ...context }: ServiceContext<Config>) {
  const app = await buildApp({
    ...context,
    content: createClient(config.CONTENT_URL),
    identity: createClient(config.IDENTITY_URL),
  });
  const expire = () => expireEnrollments(context.database.db);
  return {
    app,
    consumers,
    jobs: [{ name: 'expire enrollments', intervalMs: expiryIntervalMs, run: expire }],
  };
}

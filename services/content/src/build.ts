import type { ServiceContext } from '@lms/service/run-service';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { consumers, onEnrollmentChanged } from './consumers.ts';
import { createEntitlement } from './entitlement/create-entitlement.ts';
import { purgeDeleted } from './hierarchy/purge-deleted.ts';

const purgeIntervalMs = 3_600_000;

/** Creates the app and its consumers and jobs from the settings and the connections of the process. */
export async function build({ config, createClient, ...context }: ServiceContext<Config>) {
  const entitlement = createEntitlement(createClient(config.ENROLLMENT_URL));
  const app = await buildApp({
    ...context,
    entitlement,
    serviceSecret: config.SERVICE_SECRET,
    identity: createClient(config.IDENTITY_URL),
    media: createClient(config.MEDIA_URL),
    mediaDownloads: createClient(config.MEDIA_URL),
    contentIsPublic: config.CONTENT_VISIBILITY === 'public',
    publicUrl: config.PUBLIC_URL,
  });
  const purge = () => purgeDeleted(context.database.db, config.CONTENT_RETENTION_DAYS);
  return {
    app,
    consumers,
    subscriptions: [onEnrollmentChanged(entitlement)],
    jobs: [{ name: 'purge deleted content', intervalMs: purgeIntervalMs, run: purge }],
  };
}

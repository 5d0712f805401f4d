import { runService } from '@lms/service/run-service';
import { buildApp } from './app.ts';
import { Config } from './config.ts';
import { consumers, onEnrollmentChanged } from './consumers.ts';
import { createEntitlement } from './entitlement/create-entitlement.ts';
import { publishCurrentNodes } from './hierarchy/publish-current-nodes.ts';
import { purgeDeleted } from './hierarchy/purge-deleted.ts';

const purgeIntervalMs = 3_600_000;

await runService({
  name: 'content',
  config: Config,
  migrations: new URL('../migrations', import.meta.url),
  publishCurrentStates: publishCurrentNodes,
  async build({ config, createClient, ...context }) {
    const entitlement = createEntitlement(createClient(config.ENROLLMENT_URL));
    const app = await buildApp({
      ...context,
      entitlement,
      identity: createClient(config.IDENTITY_URL),
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
  },
});

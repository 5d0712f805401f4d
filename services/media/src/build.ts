import { userEvents } from '@lms/contracts/events/identity';
import type { ServiceContext } from '@lms/service/run-service';
import { buildApp } from './app.ts';
import { checkObjects } from './check-objects.ts';
import type { Config } from './config.ts';
import { createAccessWatch } from './objects/watch-access.ts';
import { onTopicPurged } from './on-topic-purged.ts';
import { onUserDeleted } from './on-user-deleted.ts';
import { createGrants } from './playback/grants.ts';
import { openStorage } from './storage/open-storage.ts';

const checkIntervalMs = 86_400_000;

/** Creates the app and its consumers and jobs from the settings and the connections of the process. */
export async function build({ config, createClient, ...context }: ServiceContext<Config>) {
  const storage = await openStorage(config);
  const grants = createGrants();
  const accessWatch = createAccessWatch();
  const app = await buildApp({
    ...context,
    serviceSecret: config.SERVICE_SECRET,
    content: createClient(config.CONTENT_URL),
    storage,
    publicUrl: config.PUBLIC_URL,
    maxVideoBytes: config.MAX_VIDEO_BYTES,
    maxDocumentBytes: config.MAX_DOCUMENT_BYTES,
    grants,
    accessWatch,
    playbackSecret: config.PLAYBACK_SECRET,
    maxConcurrentUploads: config.MAX_CONCURRENT_UPLOADS,
    reaperIntervalMs: config.REAPER_INTERVAL_SECONDS * 1_000,
    graceMs: config.SHUTDOWN_TIMEOUT * 500,
  });
  const check = async () => {
    const { unreferenced, missing } = await checkObjects(context.database.db, storage);
    const counts = { unreferenced: unreferenced.length, missing: missing.length };
    if (counts.unreferenced + counts.missing > 0)
      context.logger.warn(counts, 'storage and database differ; run the operator command "objects check"');
  };
  return {
    app,
    checks: { storage: storage.check },
    consumers: [
      {
        durable: 'media-content-topics',
        filter: 'lms.content.topic.*.v1',
        handlers: [onTopicPurged({ publicUrl: config.PUBLIC_URL })],
      },
      { durable: 'media-identity-users', filter: userEvents, handlers: [onUserDeleted] },
    ],
    subscriptions: [...grants.subscriptions, ...accessWatch.subscriptions],
    jobs: [{ name: 'check objects', intervalMs: checkIntervalMs, run: check }],
    close: async () => storage.close(),
  };
}

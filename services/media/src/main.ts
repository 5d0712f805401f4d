import { fileURLToPath } from 'node:url';
import { checkSchema } from '@lms/database/check-schema';
import { connect } from '@lms/database/connect';
import { openBus } from '@lms/events/bus';
import { consume } from '@lms/events/consume';
import { startRelay } from '@lms/events/relay';
import { createNeighbour } from '@lms/server/ask-neighbour';
import { runProcess } from '@lms/server/run-process';
import { buildApp } from './app.ts';
import { loadMediaConfig } from './config.ts';
import { listeners } from './listeners.ts';
import { openStorage } from './storage/open-storage.ts';

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

await runProcess('media', process.env, async (environment, logger, registry) => {
  const config = loadMediaConfig(environment);
  // The end of an upload holds a connection while content is asked.
  const database = connect(config.DATABASE_URL, {
    registry,
    applicationName: 'media',
    max: 10 + config.MAX_CONCURRENT_UPLOADS,
  });
  const bus = openBus(config.NATS_URL, 'media', logger, registry);
  const relay = startRelay(database, bus, 'media', logger);
  const content = createNeighbour(config.CONTENT_URL);
  const storage = openStorage(config);
  const app = await buildApp({
    logger,
    registry,
    database,
    content,
    storage,
    passportKey: config.PASSPORT_PUBLIC_KEY,
    nudge: relay.nudge,
    publicUrl: config.PUBLIC_URL,
    maxVideoBytes: config.MAX_VIDEO_BYTES,
    maxDocumentBytes: config.MAX_DOCUMENT_BYTES,
    playbackSecret: config.PLAYBACK_SECRET,
    maxConcurrentUploads: config.MAX_CONCURRENT_UPLOADS,
    reaperIntervalMs: config.REAPER_INTERVAL_SECONDS * 1_000,
    graceMs: config.SHUTDOWN_TIMEOUT * 500,
  });
  const consumer = consume({
    database,
    bus,
    logger,
    durable: 'media-content-topics',
    filter: 'lms.content.topic.*.v1',
    listeners: listeners({ publicUrl: config.PUBLIC_URL }),
  });
  return {
    app,
    checks: { postgres: checkSchema(database, migrations), storage: storage.check },
    async close() {
      await bus.close();
      await Promise.all([relay.ended, consumer.ended]);
      storage.close();
      await Promise.all([database.close(), content.close()]);
    },
  };
});

import type { ServiceContext } from '@lms/service/run-service';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import { onTopicPurged } from './on-topic-purged.ts';
import { openStorage } from './storage/open-storage.ts';

/** Creates the app and its consumers and jobs from the settings and the connections of the process. */
export async function build({ config, createClient, ...context }: ServiceContext<Config>) {
  const storage = openStorage(config);
  const app = await buildApp({
    ...context,
    content: createClient(config.CONTENT_URL),
    storage,
    publicUrl: config.PUBLIC_URL,
    maxVideoBytes: config.MAX_VIDEO_BYTES,
    maxDocumentBytes: config.MAX_DOCUMENT_BYTES,
    playbackSecret: config.PLAYBACK_SECRET,
    maxConcurrentUploads: config.MAX_CONCURRENT_UPLOADS,
    reaperIntervalMs: config.REAPER_INTERVAL_SECONDS * 1_000,
    graceMs: config.SHUTDOWN_TIMEOUT * 500,
  });
  return {
    app,
    checks: { storage: storage.check },
    consumers: [
      {
        durable: 'media-content-topics',
        filter: 'lms.content.topic.*.v1',
        handlers: [onTopicPurged({ publicUrl: config.PUBLIC_URL })],
      },
    ],
    close: async () => storage.close(),
  };
}

import { fileURLToPath } from 'node:url';
import { checkSchema } from '@lms/database/check-schema';
import { connect } from '@lms/database/connect';
import type { ProcessContext } from '@lms/service/run-process';
import { createDerivedObjects } from './objects/derived-objects.ts';
import { objectRepository } from './objects/repository.ts';
import { readVideo } from './read-video.ts';
import { createConfinedTools } from './renditions/confined-tools.ts';
import { createProcessingMetrics } from './renditions/processing-metrics.ts';
import { startWorker } from './renditions/worker.ts';
import { openStorage } from './storage/open-storage.ts';
import type { WorkerConfig } from './worker-config.ts';

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));
// Renditions are rarely larger than their source.
const outputFactor = 4;

/** Creates the worker from the settings. It needs no NATS: the media service publishes the events that it appends. */
export async function buildWorker({ config, logger, registry }: ProcessContext<WorkerConfig>) {
  const database = connect(config.DATABASE_URL, {
    registry,
    applicationName: 'media-worker',
    max: 3 + 2 * config.CONCURRENT_JOBS,
  });
  const { db } = database;
  const storage = await openStorage(config);
  const tools = createConfinedTools({
    timeoutMs: config.MAX_JOB_SECONDS * 1_000,
    memoryBytes: config.MAX_JOB_MEMORY_MB * 1_024 ** 2,
    fileBytes: config.MAX_VIDEO_BYTES * outputFactor,
  });
  const worker = startWorker({
    db,
    storage,
    deriveFrom: (video) => createDerivedObjects(db, storage, video),
    lockTopic: (tx, topicId) => objectRepository(tx).lockTopic(topicId),
    readVideo,
    tools,
    workPath: config.WORK_PATH,
    limits: { maxDurationSeconds: config.MAX_VIDEO_SECONDS, maxPixels: config.MAX_VIDEO_PIXELS },
    maxVideoBytes: config.MAX_VIDEO_BYTES,
    encoder: { preset: config.ENCODER_PRESET, threads: config.ENCODER_THREADS },
    concurrency: config.CONCURRENT_JOBS,
    maxAttempts: config.MAX_JOB_ATTEMPTS,
    metrics: createProcessingMetrics(registry),
    logger,
  });
  return {
    checks: { postgres: checkSchema(database, migrations), storage: storage.check, ffmpeg: tools.check },
    async close() {
      await worker.stop();
      storage.close();
      await database.close();
    },
  };
}

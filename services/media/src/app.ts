import { passports } from '@lms/auth/passports';
import type { Database } from '@lms/database/connect';
import { isDatabaseOutage } from '@lms/database/errors';
import { idempotency } from '@lms/idempotency/idempotency';
import { createServer } from '@lms/service/create-server';
import type { ServiceClient } from '@lms/service/service-client';
import type { Registry } from '@lms/telemetry/registry';
import type { FastifyBaseLogger } from 'fastify';
import { createAccess } from './access/access.ts';
import type { FeatureDeps } from './deps.ts';
import { detachDocument } from './documents/remove-document.ts';
import * as documents from './documents/routes.ts';
import { rollBackDocument } from './documents/undo-offer.ts';
import { getPersonalData } from './get-personal-data.ts';
import { createObjects } from './objects/create-objects.ts';
import { createReaper } from './objects/reaper.ts';
import { createTransferMetrics } from './objects/transfer-metrics.ts';
import { internalRoutes } from './personal-data/routes.ts';
import { type Storage, StorageFailure } from './storage.ts';
import { createPlaybackTokens } from './videos/playback-tokens.ts';
import { detachVideo } from './videos/remove-video.ts';
import * as videos from './videos/routes.ts';
import { rollBackVideo } from './videos/undo-offer.ts';

export interface Deps extends Omit<FeatureDeps, 'access' | 'objects'> {
  logger: FastifyBaseLogger;
  /** Where requests are measured. */
  registry?: Registry;
  database: Database;
  content: ServiceClient;
  storage: Storage;
  /** The gateway's public key, PEM. */
  passportKey: string;
  /** Tells the relay that there may be something to publish. */
  notifyRelay: () => void;
  /** What playback URLs are sealed with. */
  playbackSecret: string;
  maxConcurrentUploads: number;
  reaperIntervalMs: number;
  /** The time over which a sender's average rate is measured. */
  senderWindowMs?: number;
  /**
   * How long a reader may take no byte. The gateway is more patient than a minute: over a slow line, megabytes in its
   * kernel's buffers drain before it can take more. It should be the one who gives up first.
   */
  readerIdleMs?: number;
  /** How long transfers may go on once the process is told to end. */
  graceMs?: number;
}

const isOutage = (error: unknown) => error instanceof StorageFailure || isDatabaseOutage(error);

/** The floor plan: which room answers where. */
export async function buildApp({ senderWindowMs = 30_000, readerIdleMs = 150_000, graceMs = 10_000, ...given }: Deps) {
  const transfers = createTransferMetrics(given.registry);
  const objects = createObjects({ ...given, senderWindowMs, readerIdleMs, metrics: transfers });
  const deps: FeatureDeps = { ...given, objects, access: createAccess(given.content) };

  const { db } = given.database;
  const reaper = createReaper({
    db,
    storage: given.storage,
    logger: given.logger,
    intervalMs: given.reaperIntervalMs,
    objectReaped: transfers.objectReaped,
    cleanups: {
      document: {
        rollBack: (document, behalf) => rollBackDocument(deps, document, behalf),
        detach: (document, behalf) => detachDocument(deps, document, behalf, {}),
      },
      video: {
        rollBack: (video, behalf) => rollBackVideo(deps, video, behalf),
        detach: ({ id, topicId }, behalf) => detachVideo(deps, id, topicId, behalf, {}),
      },
    },
  });

  const app = createServer({ logger: given.logger, isOutage, registry: given.registry });
  await app.register(passports, { publicKey: given.passportKey });
  app.addHook('onResponse', async ({ method }) => {
    if (method === 'GET' || method === 'HEAD') return;
    given.notifyRelay();
    reaper.runNow();
  });
  await app.register(idempotency, { db, registry: given.registry });
  await app.register(documents.uploadRoutes, { prefix: '/api/s3/document', deps });
  await app.register(documents.readerRoutes, { prefix: '/api/s3/document', deps });
  await app.register(documents.managerRoutes, { prefix: '/api/admin/education/topics', deps });
  await app.register(videos.uploadRoutes, { prefix: '/api/admin/education/topics', deps });
  await app.register(videos.managerRoutes, { prefix: '/api/admin/education/topics', deps });
  const playing = { ...deps, playbackTokens: createPlaybackTokens(given.playbackSecret) };
  await app.register(videos.playbackRoutes, { prefix: '/api/education/topics', deps: playing });
  await app.register(videos.readerRoutes, { prefix: '/api/education/topics', deps: playing });
  await app.register(internalRoutes, {
    prefix: '/internal',
    deps: { getPersonalData: (id) => getPersonalData(deps, id) },
  });

  app.addHook('onReady', async () => reaper.start());
  let cut: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    cut = setTimeout(() => app.server.closeAllConnections(), graceMs).unref();
  });
  app.addHook('onClose', async () => {
    clearTimeout(cut);
    // What was cut off still has to be cleared from storage.
    await objects.uploads.close();
    await reaper.stop();
  });
  return app;
}

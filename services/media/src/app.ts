import { passports } from '@lms/auth/passports';
import type { Database } from '@lms/database/connect';
import { isDatabaseOutage } from '@lms/database/errors';
import { idempotency } from '@lms/idempotency/idempotency';
import { createServer } from '@lms/service/create-server';
import type { ServiceClient } from '@lms/service/service-client';
import type { Registry } from '@lms/telemetry/registry';
import type { FastifyBaseLogger } from 'fastify';
import { createAccess } from './access/access.ts';
import type { RoomDeps } from './deps.ts';
import { takeOff as takeOffDocument } from './documents/remove-document.ts';
import * as documents from './documents/routes.ts';
import { undoOffer as undoDocumentOffer } from './documents/undo-offer.ts';
import { createObjects } from './objects/create-objects.ts';
import { measureTransfers } from './objects/measure-transfers.ts';
import { createReaper } from './objects/reaper.ts';
import { owners } from './personal-data/routes.ts';
import { personalDataOf } from './personal-data-of.ts';
import { type Storage, StorageFailure } from './storage.ts';
import { createPlaybackTokens } from './videos/playback-tokens.ts';
import { takeOff as takeOffVideo } from './videos/remove-video.ts';
import * as videos from './videos/routes.ts';
import { undoOffer as undoVideoOffer } from './videos/undo-offer.ts';

export interface Deps extends Omit<RoomDeps, 'access' | 'objects'> {
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
  const transfers = measureTransfers(given.registry);
  const objects = createObjects({ ...given, senderWindowMs, readerIdleMs, transfers });
  const deps: RoomDeps = { ...given, objects, access: createAccess(given.content) };

  const { db } = given.database;
  const reaper = createReaper({
    db,
    storage: given.storage,
    logger: given.logger,
    intervalMs: given.reaperIntervalMs,
    reaped: transfers.reaped,
    settlements: {
      document: {
        undoOffer: (document, behalf) => undoDocumentOffer(deps, document, behalf),
        takeOff: (document, behalf) => takeOffDocument(deps, document, behalf, {}),
      },
      video: {
        undoOffer: (video, behalf) => undoVideoOffer(deps, video, behalf),
        takeOff: ({ id, topicId }, behalf) => takeOffVideo(deps, id, topicId, behalf, {}),
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
  await app.register(documents.uploaders, { prefix: '/api/s3/document', deps });
  await app.register(documents.readers, { prefix: '/api/s3/document', deps });
  await app.register(documents.managers, { prefix: '/api/admin/education/topics', deps });
  await app.register(videos.uploaders, { prefix: '/api/admin/education/topics', deps });
  await app.register(videos.managers, { prefix: '/api/admin/education/topics', deps });
  const playing = { ...deps, playbackTokens: createPlaybackTokens(given.playbackSecret) };
  await app.register(videos.players, { prefix: '/api/education/topics', deps: playing });
  await app.register(videos.viewers, { prefix: '/api/education/topics', deps: playing });
  await app.register(owners, { prefix: '/internal', deps: { personalDataOf: (id) => personalDataOf(deps, id) } });

  app.addHook('onReady', async () => reaper.start());
  let cut: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    cut = setTimeout(() => app.server.closeAllConnections(), graceMs).unref();
  });
  app.addHook('onClose', async () => {
    clearTimeout(cut);
    // What was cut off still has to be cleared from storage.
    await objects.uploads.end();
    await reaper.stop();
  });
  return app;
}

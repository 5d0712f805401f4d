import { passports } from '@lms/auth/passports';
import type { Database } from '@lms/database/connect';
import { isDatabaseOutage } from '@lms/database/errors';
import { findVersion } from '@lms/events/append-event';
import { idempotency } from '@lms/idempotency/idempotency';
import { createServer } from '@lms/service/create-server';
import type { ServiceClient } from '@lms/service/service-client';
import type { Registry } from '@lms/telemetry/registry';
import type { FastifyBaseLogger } from 'fastify';
import { createAccess } from './access/access.ts';
import { getCaptions } from './captions/get-captions.ts';
import { toTrack } from './captions/presenter.ts';
import { captionRepository } from './captions/repository.ts';
import * as captions from './captions/routes.ts';
import { showVideo } from './captions/show-video.ts';
import type { FeatureDeps } from './deps.ts';
import { withdrawDocument } from './documents/attach-document.ts';
import * as documents from './documents/routes.ts';
import { documentTarget } from './documents/upload-target.ts';
import { getPersonalData } from './get-personal-data.ts';
import { jobFileRoutes, jobFileUploadRoutes } from './job-files/routes.ts';
import { createObjects } from './objects/create-objects.ts';
import { createReaper } from './objects/reaper.ts';
import { createFinisher } from './objects/resumable-uploads/finish-upload.ts';
import { createResumableMetrics, recordUnfinishedUploads } from './objects/resumable-uploads/metrics.ts';
import { createUploadReaper } from './objects/resumable-uploads/reaper.ts';
import * as resumableUploads from './objects/resumable-uploads/routes.ts';
import { uploadKinds } from './objects/resumable-uploads/table.ts';
import { createTransferMetrics } from './objects/transfer-metrics.ts';
import { type AccessWatch, createAccessWatch } from './objects/watch-access.ts';
import { internalRoutes } from './personal-data/routes.ts';
import { createGrants, type Grants } from './playback/grants.ts';
import { openPlayback } from './playback/open-playback.ts';
import * as playback from './playback/routes.ts';
import { createStreams } from './playback/streams.ts';
import { createPlaybackTokens } from './playback-tokens.ts';
import { readVideo } from './read-video.ts';
import { recordQueueMetrics } from './renditions/queue-metrics.ts';
import { renditionRepository } from './renditions/repository.ts';
import * as renditions from './renditions/routes.ts';
import { type Storage, StorageFailure } from './storage.ts';
import { withdrawVideo } from './videos/attach-video.ts';
import { getPlayableVideo, type PlaybackRequest } from './videos/get-playable-video.ts';
import { videoPath } from './videos/presenter.ts';
import * as videos from './videos/routes.ts';
import { videoTarget } from './videos/upload-target.ts';

export interface Deps extends Omit<FeatureDeps, 'access' | 'objects' | 'readVideo' | 'requestProcessing'> {
  logger: FastifyBaseLogger;
  /** Without one, no metrics are collected. */
  registry?: Registry;
  database: Database;
  content: ServiceClient;
  storage: Storage;
  /** The gateway's public key, PEM. */
  passportKey: string;
  /** The secret that content and media share. */
  serviceSecret: string;
  notifyRelay: () => void;
  /** The secret from which the key of playback tokens is derived. */
  playbackSecret: string;
  /** Receives events; without them, a revocation takes effect when cached grants expire. */
  grants?: Grants;
  maxConcurrentUploads: number;
  reaperIntervalMs: number;
  /** The window over which the average rate of a sender is measured. */
  senderWindowMs?: number;
  /** How long the attachment of a received file is tried again; less than the gateway waits after the last byte. */
  attachMs?: number;
  /**
   * How long a client may read nothing of a download. Longer than the gateway's own idle timeout of a minute: while the
   * gateway sends buffered megabytes over a slow connection, it reads nothing from here, and it should time out first.
   */
  readerIdleMs?: number;
  /** How many downloads a user may have at once. */
  maxDownloadsPerUser?: number;
  /** Receives events; without them, a revocation ends a download at the next check. */
  accessWatch?: AccessWatch;
  /** How long transfers may continue during shutdown. */
  graceMs?: number;
}

const isOutage = (error: unknown) => error instanceof StorageFailure || isDatabaseOutage(error);

export async function buildApp({
  senderWindowMs = 30_000,
  attachMs = 30_000,
  readerIdleMs = 150_000,
  maxDownloadsPerUser = 256,
  accessWatch = createAccessWatch(),
  graceMs = 10_000,
  ...options
}: Deps) {
  const metrics = createTransferMetrics(options.registry);
  const objects = createObjects({
    ...options,
    senderWindowMs,
    attachMs,
    readerIdleMs,
    maxDownloadsPerUser,
    accessWatch,
    metrics,
  });
  const deps: FeatureDeps = {
    ...options,
    objects,
    access: createAccess(options.content),
    readVideo,
    requestProcessing: (tx, videoId) => renditionRepository(tx).insertProcessing(videoId),
  };

  const { db } = options.database;
  if (options.registry) {
    recordQueueMetrics(db, options.registry);
    recordUnfinishedUploads(db, options.registry);
  }
  const reaper = createReaper({
    db,
    storage: options.storage,
    logger: options.logger,
    intervalMs: options.reaperIntervalMs,
    metrics,
    withdrawals: {
      document: (document) => withdrawDocument(deps, document),
      video: (video) => withdrawVideo(deps, video),
    },
  });

  const resumableDeps = {
    ...deps,
    db,
    storage: options.storage,
    targets: { video: videoTarget(deps), document: documentTarget(deps) },
    metrics: createResumableMetrics(options.registry),
  };
  const finisher = createFinisher(resumableDeps);
  const { logger, reaperIntervalMs: intervalMs } = options;
  const uploadReaper = createUploadReaper({ deps: resumableDeps, finisher, logger, intervalMs });

  const app = createServer({
    logger,
    isOutage,
    registry: options.registry,
    afterWrite(method) {
      options.notifyRelay();
      reaper.runNow();
      if (method === 'DELETE') uploadReaper.runNow();
    },
  });
  await app.register(passports, { publicKey: options.passportKey, serviceSecret: options.serviceSecret });
  await app.register(idempotency, { db, registry: options.registry });
  await app.register(documents.uploadRoutes, { prefix: '/api/s3/document', deps });
  await app.register(documents.readerRoutes, { prefix: '/api/s3/document', deps });
  await app.register(documents.managerRoutes, { prefix: '/api/admin/education/topics', deps });
  await app.register(videos.uploadRoutes, { prefix: '/api/admin/education/topics', deps });
  const uploadsOf = {
    video: { prefix: '/api/admin/education/topics', path: '/:id/video/uploads' },
    document: { prefix: '/api/s3/document', path: '/uploads' },
  };
  for (const kind of uploadKinds) {
    const { prefix, path } = uploadsOf[kind];
    const resumable = { prefix, path, kind, deps: resumableDeps, finisher };
    await app.register(resumableUploads.descriptionRoutes, resumable);
    await app.register(resumableUploads.uploadRoutes, resumable);
    await app.register(resumableUploads.resultRoutes, resumable);
  }
  await app.register(videos.managerRoutes, { prefix: '/api/admin/education/topics', deps });
  await app.register(captions.uploadRoutes, { prefix: '/api/admin/education/topics', deps });
  await app.register(captions.managerRoutes, { prefix: '/api/admin/education/topics', deps });
  const playbackTokens = createPlaybackTokens(options.playbackSecret);
  const playbackDeps = { ...deps, playbackTokens, grants: options.grants ?? createGrants() };
  const playableDeps = {
    ...deps,
    openPlayback: (token: string, requestId: string) => openPlayback(playbackDeps, token, requestId),
  };
  await app.register(videos.playbackRoutes, { prefix: '/api/education/topics', deps: playableDeps });
  const processingDeps: renditions.ProgressDeps = {
    ...deps,
    showEnd: async (topicId, video, callContext) => {
      // A state that is newer than its version does no harm: the event of the next version contains it.
      const version = await findVersion(db, video.id);
      const change = { video: await readVideo(db, video), version, isBackground: true };
      await showVideo(deps, topicId, change, callContext);
    },
  };
  await app.register(renditions.managerRoutes, { prefix: '/api/education/topics', deps: processingDeps });
  await app.register(renditions.adminRoutes, { prefix: '/api/admin/education/topics', deps });
  const streams = createStreams({
    ...renditionRepository(db),
    listCaptions: async (videoId) => (await captionRepository(db).list(videoId)).map(toTrack),
    getCaptions: (videoId, language) => getCaptions(deps, videoId, language),
  });
  const streamDeps = { ...playbackDeps, streams, videoPath };
  await app.register(playback.readerRoutes, { prefix: '/api/education/topics', deps: streamDeps });
  await app.register(playback.playerRoutes, { prefix: '/api/playback', deps: streamDeps });
  const findPlayableVideo = (request: PlaybackRequest) => getPlayableVideo(playableDeps, request);
  const captionDeps = { ...deps, findPlayableVideo };
  await app.register(captions.readerRoutes, { prefix: '/api/education/topics', deps: captionDeps });
  const exportDeps = { getPersonalData: (userId: string) => getPersonalData(deps, userId) };
  await app.register(internalRoutes, { prefix: '/internal', deps: exportDeps });
  await app.register(jobFileRoutes, { prefix: '/internal', deps });
  await app.register(jobFileUploadRoutes, { prefix: '/internal', deps });

  app.addHook('onReady', async () => {
    reaper.start();
    uploadReaper.start();
  });
  let timer: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    timer = setTimeout(() => app.server.closeAllConnections(), graceMs).unref();
  });
  app.addHook('onClose', async () => {
    clearTimeout(timer);
    // Aborted uploads are rolled back before the database and the storage are closed.
    await objects.uploads.close();
    await finisher.settle();
    await uploadReaper.stop();
    await reaper.stop();
  });
  return app;
}

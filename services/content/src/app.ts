import { passports } from '@lms/auth/passports';
import { createServiceTokens } from '@lms/auth/service-tokens';
import type { Database } from '@lms/database/connect';
import { isDatabaseOutage } from '@lms/database/errors';
import { idempotency } from '@lms/idempotency/idempotency';
import { createServer } from '@lms/service/create-server';
import type { ServiceClient } from '@lms/service/service-client';
import type { Registry } from '@lms/telemetry/registry';
import type { FastifyBaseLogger } from 'fastify';
import { schemaRoutes } from './curriculum/routes.ts';
import type { Entitlement } from './entitlement/create-entitlement.ts';
import { createDownloadTokens } from './exports/download-tokens.ts';
import { createExporter } from './exports/exporter.ts';
import * as exportRoutes from './exports/routes.ts';
import { adminRoutes } from './hierarchy/admin-routes.ts';
import { deleteNode } from './hierarchy/delete-node.ts';
import { internalRoutes } from './hierarchy/internal-routes.ts';
import { lookupRoutes } from './hierarchy/lookup-routes.ts';
import { mentorRoutes } from './hierarchy/mentor-routes.ts';
import { publicRoutes } from './hierarchy/public-routes.ts';
import { nodes } from './hierarchy/repository.ts';
import { tree } from './hierarchy/tree-repository.ts';
import { writeNodes } from './hierarchy/write-nodes.ts';
import { createWriteSlots } from './hierarchy/write-slots.ts';
import type { Outline } from './imports/deps.ts';
import { createImporter } from './imports/importer.ts';
import { createMediaClient } from './imports/media-client.ts';
import { adminRoutes as importRoutes } from './imports/routes.ts';
import { searchRoutes } from './search/routes.ts';

export interface Deps {
  logger: FastifyBaseLogger;
  /** Receives the request metrics. */
  registry?: Registry;
  database: Database;
  /** The gateway's public key, PEM. */
  passportKey: string;
  /** The secret that content and media share. */
  serviceSecret: string;
  entitlement: Entitlement;
  identity: ServiceClient;
  media: ServiceClient;
  /** Another client of media: downloads of exports hold its connections for as long as their clients read. */
  mediaDownloads: ServiceClient;
  /** How long a client may stop reading a download. */
  readerIdleMs?: number;
  /** Wakes the outbox relay. */
  notifyRelay: () => void;
  /** Topic texts are readable without access. */
  contentIsPublic: boolean;
  publicUrl: string;
}

/** What imports write. */
const outline: Omit<Outline, 'inWriteSlot'> = {
  lockStructure: (tx) => nodes(tx).lockStructure(),
  writeNodes,
  async deleteNode(tx, kind, id, cause) {
    const { deleted } = await deleteNode(tx, { kind, id, checkVersion: () => undefined }, cause);
    return 1 + deleted.grades + deleted.subjects + deleted.topics;
  },
  async listTopicMedia(db, topicIds) {
    const topics = await tree(db).listWithoutContent(topicIds);
    return new Map(
      topics
        .filter(({ deletedAt }) => deletedAt === null)
        .map(({ id, video, documents }) => [id, { video: video?.video ?? null, documents }]),
    );
  },
};

export async function buildApp(deps: Deps) {
  const { logger, registry, notifyRelay } = deps;
  const app = createServer({ logger, isOutage: isDatabaseOutage, registry, afterWrite: notifyRelay });
  await app.register(passports, { publicKey: deps.passportKey, serviceSecret: deps.serviceSecret });
  await app.register(idempotency, { db: deps.database.db, registry: deps.registry });
  await app.register(publicRoutes, { prefix: '/api/education', deps });
  await app.register(searchRoutes, { prefix: '/api/education', deps });
  const inWriteSlot = createWriteSlots();
  const writeDeps = { ...deps, inWriteSlot };
  await app.register(adminRoutes, { prefix: '/api/admin/education', deps: writeDeps });
  const serviceTokens = createServiceTokens(deps.serviceSecret);
  const media = createMediaClient(deps.media, serviceTokens);
  const importDeps = { ...deps, media, outline: { ...outline, inWriteSlot } };
  const importer = createImporter(importDeps);
  const importRouteDeps = { ...importDeps, importer, inDryRunSlot: createWriteSlots(1) };
  await app.register(importRoutes, { prefix: '/api/admin/education', deps: importRouteDeps });
  app.addHook('onReady', async () => importer.start());
  app.addHook('onClose', async () => importer.stop());
  await app.register(mentorRoutes, { prefix: '/api/mentor', deps });
  await app.register(schemaRoutes, { prefix: '/api/schemas' });

  const exporter = createExporter({ ...deps, db: deps.database.db, serviceTokens });
  const tokens = createDownloadTokens(deps.serviceSecret);
  const exportDeps = { ...deps, serviceTokens, tokens, runNow: exporter.runNow };
  await app.register(exportRoutes.adminRoutes, { prefix: '/api/admin/education', deps: exportDeps });
  await app.register(exportRoutes.downloadRoutes, { prefix: '/api/education', deps: exportDeps });
  app.addHook('onReady', async () => exporter.start());
  app.addHook('onClose', async () => exporter.stop());

  await app.register(internalRoutes, { prefix: '/internal', deps: writeDeps });
  await app.register(lookupRoutes, { prefix: '/internal', deps });
  return app;
}

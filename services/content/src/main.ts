import { fileURLToPath } from 'node:url';
import { loadConfig } from '@lms/config/load-config';
import { checkSchema } from '@lms/database/check-schema';
import { connect } from '@lms/database/connect';
import { openBus } from '@lms/events/bus';
import { startRelay } from '@lms/events/relay';
import { createNeighbour } from '@lms/server/ask-neighbour';
import { runProcess } from '@lms/server/run-process';
import { buildApp } from './app.ts';
import { ContentConfig } from './config.ts';
import { createEntitlement } from './entitlement/create-entitlement.ts';
import { startPurging } from './hierarchy/start-purging.ts';
import { hearEnrollments, hearNeighbours } from './listeners.ts';

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

await runProcess('content', process.env, async (environment, logger, registry) => {
  const config = loadConfig(ContentConfig, environment);
  const database = connect(config.DATABASE_URL, { registry, applicationName: 'content' });
  const bus = openBus(config.NATS_URL, 'content', logger, registry);
  const relay = startRelay(database, bus, 'content', logger);
  const enrollment = createNeighbour(config.ENROLLMENT_URL);
  const identity = createNeighbour(config.IDENTITY_URL);
  const authority = createEntitlement(enrollment);
  const hearing = hearNeighbours(database, bus, logger);
  hearEnrollments(bus, authority).catch((err: unknown) => {
    if (!bus.closing.aborted) logger.error({ err }, 'enrollments cannot be heard of');
  });
  const purging = startPurging(database, config.CONTENT_RETENTION_DAYS, logger);
  const app = await buildApp({
    logger,
    registry,
    database,
    passportKey: config.PASSPORT_PUBLIC_KEY,
    authority,
    identity,
    nudge: relay.nudge,
    contentIsPublic: config.CONTENT_VISIBILITY === 'public',
    publicUrl: config.PUBLIC_URL,
  });
  return {
    app,
    checks: { postgres: checkSchema(database, migrations) },
    async close() {
      await bus.close();
      await Promise.all([relay.ended, hearing, purging.stop(), enrollment.close(), identity.close()]);
      await database.close();
    },
  };
});

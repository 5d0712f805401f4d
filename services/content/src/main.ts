import { loadConfig } from '@lms/config/load-config';
import { connect } from '@lms/database/connect';
import { openBus } from '@lms/events/bus';
import { startRelay } from '@lms/events/relay';
import { createNeighbour } from '@lms/server/ask-neighbour';
import { runProcess } from '@lms/server/run-process';
import { buildApp } from './app.ts';
import { ContentConfig } from './config.ts';
import { createEntitlement } from './entitlement/create-entitlement.ts';

await runProcess('content', process.env, async (environment, logger) => {
  const config = loadConfig(ContentConfig, environment);
  const database = connect(config.DATABASE_URL, { applicationName: 'content' });
  const bus = openBus(config.NATS_URL, 'content', logger);
  const relay = startRelay(database, bus, 'content', logger);
  const enrollment = createNeighbour(config.ENROLLMENT_URL);
  const identity = createNeighbour(config.IDENTITY_URL);
  const app = await buildApp({
    logger,
    database,
    passportKey: config.PASSPORT_PUBLIC_KEY,
    authority: createEntitlement(enrollment),
    identity,
    nudge: relay.nudge,
    contentIsPublic: config.CONTENT_VISIBILITY === 'public',
    publicUrl: config.PUBLIC_URL,
  });
  return {
    app,
    checks: { postgres: database.ping },
    async close() {
      await bus.close();
      await relay.ended;
      await Promise.all([database.close(), enrollment.close(), identity.close()]);
    },
  };
});

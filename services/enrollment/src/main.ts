import { loadConfig } from '@lms/config/load-config';
import { connect } from '@lms/database/connect';
import { openBus } from '@lms/events/bus';
import { startRelay } from '@lms/events/relay';
import { createNeighbour } from '@lms/server/ask-neighbour';
import { runProcess } from '@lms/server/run-process';
import { buildApp } from './app.ts';
import { Config } from './config.ts';
import { hearNeighbours } from './listeners.ts';

await runProcess('enrollment', process.env, async (environment, logger) => {
  const config = loadConfig(Config, environment);
  const database = connect(config.DATABASE_URL, { applicationName: 'enrollment' });
  const content = createNeighbour(config.CONTENT_URL);
  const bus = openBus(config.NATS_URL, 'enrollment', logger);
  const relay = startRelay(database, bus, 'enrollment', logger);
  const hearing = hearNeighbours(database, bus, logger);

  const app = await buildApp({
    logger,
    database,
    passportKey: config.PASSPORT_PUBLIC_KEY,
    content,
    nudge: relay.nudge,
  });
  return {
    app,
    checks: { postgres: database.ping },
    async close() {
      await bus.close();
      await Promise.all([relay.ended, hearing, content.close()]);
      await database.close();
    },
  };
});

import { fileURLToPath } from 'node:url';
import { loadConfig } from '@lms/config/load-config';
import { checkSchema } from '@lms/database/check-schema';
import { connect } from '@lms/database/connect';
import { openBus } from '@lms/events/bus';
import { startRelay } from '@lms/events/relay';
import { createNeighbour } from '@lms/server/ask-neighbour';
import { runProcess } from '@lms/server/run-process';
import { buildApp } from './app.ts';
import { Config } from './config.ts';
import { expireEnrollments } from './enrollments/expire-enrollments.ts';
import { hearNeighbours } from './listeners.ts';
import { repeat } from './repeat.ts';

// Expiry is in force at once; this is how late its event may come.
const sweepMs = 5_000;

// Enough for questions of one statement each.
const connectionsForNeighbours = 4;

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

await runProcess('enrollment', process.env, async (environment, logger, registry) => {
  const config = loadConfig(Config, environment);
  const database = connect(config.DATABASE_URL, { registry, applicationName: 'enrollment' });
  const databaseForNeighbours = connect(config.DATABASE_URL, {
    max: connectionsForNeighbours,
    applicationName: 'enrollment-neighbours',
  });
  const content = createNeighbour(config.CONTENT_URL);
  const identity = createNeighbour(config.IDENTITY_URL);
  const bus = openBus(config.NATS_URL, 'enrollment', logger, registry);
  const relay = startRelay(database, bus, 'enrollment', logger);
  const hearing = hearNeighbours(database, bus, logger);

  const sweeping = repeat(() => expireEnrollments(database.db), sweepMs, logger);

  const app = await buildApp({
    logger,
    registry,
    database,
    databaseForNeighbours,
    passportKey: config.PASSPORT_PUBLIC_KEY,
    content,
    identity,
    nudge: relay.nudge,
  });
  return {
    app,
    checks: { postgres: checkSchema(database, migrations) },
    async close() {
      await bus.close();
      await Promise.all([relay.ended, hearing, sweeping.close(), content.close(), identity.close()]);
      await Promise.all([database.close(), databaseForNeighbours.close()]);
    },
  };
});

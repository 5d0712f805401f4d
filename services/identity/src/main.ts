import { fileURLToPath } from 'node:url';
import { checkSchema } from '@lms/database/check-schema';
import { connect } from '@lms/database/connect';
import { openBus } from '@lms/events/bus';
import { consume } from '@lms/events/consume';
import { startRelay } from '@lms/events/relay';
import { createNeighbour } from '@lms/server/ask-neighbour';
import { runProcess } from '@lms/server/run-process';
import { buildApp } from './app.ts';
import { neighbourChanges } from './audit/on-neighbour-change.ts';
import { readConfig } from './config.ts';
import { isForgotten } from './people.ts';
import { createAskProvider } from './users/ask-provider.ts';

const migrations = fileURLToPath(new URL('../migrations', import.meta.url));

await runProcess('identity', process.env, async (environment, logger, registry) => {
  const config = readConfig(environment);
  for (const warning of config.warnings) logger.warn(warning);
  const database = connect(config.DATABASE_URL, { registry, applicationName: 'identity' });
  const bus = openBus(config.NATS_URL, 'identity', logger, registry);
  const relay = startRelay(database, bus, 'identity', logger);
  const consumers = neighbourChanges(isForgotten).map((heard) => consume({ database, bus, logger, ...heard }));
  const neighbour = (url: string | undefined) => (url ? createNeighbour(url) : undefined);
  const holders = {
    content: neighbour(config.CONTENT_URL),
    media: neighbour(config.MEDIA_URL),
    enrollment: neighbour(config.ENROLLMENT_URL),
  };
  const app = await buildApp({
    logger,
    registry,
    database,
    holders,
    passportKey: config.PASSPORT_PUBLIC_KEY,
    nudge: relay.nudge,
    webhooks: { keys: config.webhookKeys, acceptUntimestamped: config.WEBHOOK_ACCEPT_UNTIMESTAMPED },
    defaultPlan: config.DEFAULT_PLAN,
    adminEmails: config.adminEmails,
    ...(config.usersUrl && { askProvider: createAskProvider(config.usersUrl, config.IDP_USERS_TOKEN) }),
  });
  return {
    app,
    // NATS is not among them: requests are served without it, and what they change is told later.
    checks: { database: checkSchema(database, migrations) },
    async close() {
      await bus.close();
      await Promise.all([relay.ended, ...consumers.map(({ ended }) => ended)]);
      await Promise.all(Object.values(holders).map((holder) => holder?.close()));
      await database.close();
    },
  };
});

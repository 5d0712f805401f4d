import { connect } from '@lms/database/connect';
import { openBus } from '@lms/events/bus';
import { startRelay } from '@lms/events/relay';
import { runProcess } from '@lms/server/run-process';
import { buildApp } from './app.ts';
import { readConfig } from './config.ts';
import { createMetrics } from './metrics.ts';

await runProcess('identity', process.env, async (environment, logger) => {
  const config = readConfig(environment);
  const metrics = createMetrics();
  const database = connect(config.DATABASE_URL, { applicationName: 'identity' });
  const bus = openBus(config.NATS_URL, 'identity', logger);
  const relay = startRelay(database, bus, 'identity', logger);
  const app = await buildApp({
    logger,
    database,
    metrics,
    passportKey: config.PASSPORT_PUBLIC_KEY,
    nudge: relay.nudge,
    webhooks: { keys: config.webhookKeys, acceptUntimestamped: config.WEBHOOK_ACCEPT_UNTIMESTAMPED },
    defaultPlan: config.DEFAULT_PLAN,
    adminEmails: config.adminEmails,
  });
  return {
    app,
    registry: metrics.registry,
    // NATS is not among them: requests are served without it, and what they change is told later.
    checks: { database: database.ping },
    async close() {
      await bus.close();
      await relay.ended;
      await database.close();
    },
  };
});

import { createLogDestination } from '@lms/service/log-destination';
import { runProcess } from '@lms/service/run-process';
import { pino } from 'pino';
import { buildApp } from './app.ts';
import { Config, checkConfig } from './config.ts';

// One line for each request, written a few times a second: a write each would cost more than all checks.
const requestLog = { minLength: 15 * 1_024, periodicFlush: 200 };

await runProcess({
  name: 'gateway',
  config: Config,
  checkConfig,
  build({ config, logger, registry }) {
    const destination = createLogDestination(requestLog);
    const requestLogger = pino({ name: 'gateway', level: logger.level }, destination);
    const { app, checks } = buildApp({ config, logger, requestLogger, registry });
    return { app, checks, close: async () => destination.flushSync() };
  },
});

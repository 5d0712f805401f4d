import { loadConfig } from '@lms/config/load-config';
import { runProcess } from '@lms/server/run-process';
import { Settings } from './config.ts';
import { openGateway } from './open-gateway.ts';
import { openRequestLog } from './request-log.ts';

await runProcess('gateway', process.env, (environment, logger) =>
  openGateway(loadConfig(Settings, environment), logger, openRequestLog('gateway', logger.level)),
);

import { runProcess } from '@lms/server/run-process';
import { readSettings } from './config.ts';
import { openGateway } from './open-gateway.ts';
import { openRequestLog } from './request-log.ts';

await runProcess('gateway', process.env, (environment, logger, registry) =>
  openGateway(readSettings(environment), logger, openRequestLog('gateway', logger.level), registry),
);

import { runProcess } from '@lms/service/run-process';
import { Config, checkConfig } from './config.ts';
import { openGateway } from './open-gateway.ts';
import { openRequestLog } from './request-log.ts';

await runProcess({
  name: 'gateway',
  config: Config,
  checkConfig: checkConfig,
  build: ({ config, logger, registry }) =>
    openGateway(config, logger, openRequestLog('gateway', logger.level), registry),
});

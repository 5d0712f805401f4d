import { runProcess } from '@lms/service/run-process';
import { checkSettings, Settings } from './config.ts';
import { openGateway } from './open-gateway.ts';
import { openRequestLog } from './request-log.ts';

await runProcess({
  name: 'gateway',
  config: Settings,
  checkConfig: checkSettings,
  build: ({ config, logger, registry }) =>
    openGateway(config, logger, openRequestLog('gateway', logger.level), registry),
});

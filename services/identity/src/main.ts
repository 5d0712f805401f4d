import { userEvents } from '@lms/contracts/events/identity';
import { runService } from '@lms/service/run-service';
import { build } from './build.ts';
import { Config, checkConfig } from './config.ts';
import { publishCurrentUsers } from './publish-current-users.ts';

await runService({
  name: 'identity',
  config: Config,
  checkConfig,
  migrations: new URL('../migrations', import.meta.url),
  publishCurrentStates: publishCurrentUsers,
  personalEvents: userEvents,
  build,
});

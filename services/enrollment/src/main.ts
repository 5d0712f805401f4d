import { runService } from '@lms/service/run-service';
import { build } from './build.ts';
import { Config } from './config.ts';

await runService({
  name: 'enrollment',
  config: Config,
  migrations: new URL('../migrations', import.meta.url),
  build,
});

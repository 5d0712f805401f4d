import { runService } from '@lms/service/run-service';
import { build } from './build.ts';
import { Config, checkConfig } from './config.ts';

await runService({
  name: 'media',
  config: Config,
  checkConfig,
  migrations: new URL('../migrations', import.meta.url),
  // The transaction at the end of an upload holds a connection while content attaches the object.
  connections: ({ MAX_CONCURRENT_UPLOADS }) => 10 + MAX_CONCURRENT_UPLOADS,
  build,
});

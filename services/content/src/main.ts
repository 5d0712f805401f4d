import { subjectEventsSubject } from '@lms/contracts/events/content';
import { runService } from '@lms/service/run-service';
import { build } from './build.ts';
import { Config } from './config.ts';
import { publishCurrentNodes } from './hierarchy/publish-current-nodes.ts';

await runService({
  name: 'content',
  config: Config,
  migrations: new URL('../migrations', import.meta.url),
  publishCurrentStates: publishCurrentNodes,
  personalEvents: subjectEventsSubject,
  build,
});

import { runService } from '@lms/service/run-service';
import { buildApp } from './app.ts';
import { neighbourChanges } from './audit/on-neighbour-change.ts';
import { Config, checkConfig, interpretConfig } from './config.ts';
import { isForgotten } from './people.ts';
import { createAskProvider } from './users/ask-provider.ts';

await runService({
  name: 'identity',
  config: Config,
  checkConfig,
  migrations: new URL('../migrations', import.meta.url),
  async build({ config, createClient, ...context }) {
    const { webhookKeys, adminEmails, usersUrl, warnings } = interpretConfig(config);
    for (const warning of warnings) context.logger.warn(warning);
    const clientOf = (url: string | undefined) => (url ? createClient(url) : undefined);
    const holders = {
      content: clientOf(config.CONTENT_URL),
      media: clientOf(config.MEDIA_URL),
      enrollment: clientOf(config.ENROLLMENT_URL),
    };
    const app = await buildApp({
      ...context,
      holders,
      webhooks: { keys: webhookKeys, acceptUntimestamped: config.WEBHOOK_ACCEPT_UNTIMESTAMPED },
      defaultPlan: config.DEFAULT_PLAN,
      adminEmails,
      ...(usersUrl && { askProvider: createAskProvider(usersUrl, config.IDP_USERS_TOKEN) }),
    });
    return {
      app,
      consumers: neighbourChanges(isForgotten),
    };
  },
});

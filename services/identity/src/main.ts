import { runService } from '@lms/service/run-service';
import { createServiceClient } from '@lms/service/service-client';
import { buildApp } from './app.ts';
import { auditConsumers } from './audit/on-service-event.ts';
import { Config, checkConfig, parseConfig } from './config.ts';
import { isAnonymized } from './people.ts';
import { createProviderClient } from './users/provider-client.ts';

await runService({
  name: 'identity',
  config: Config,
  checkConfig,
  migrations: new URL('../migrations', import.meta.url),
  async build({ config, ...context }) {
    const { webhookKeys, adminEmails, usersUrl, warnings } = parseConfig(config);
    for (const warning of warnings) context.logger.warn(warning);
    const clientOf = (url: string | undefined) => (url ? createServiceClient(url) : undefined);
    const exportClients = {
      content: clientOf(config.CONTENT_URL),
      media: clientOf(config.MEDIA_URL),
      enrollment: clientOf(config.ENROLLMENT_URL),
    };
    const app = await buildApp({
      ...context,
      exportClients,
      passportKey: config.PASSPORT_PUBLIC_KEY,
      webhooks: { keys: webhookKeys, acceptUntimestamped: config.WEBHOOK_ACCEPT_UNTIMESTAMPED },
      defaultPlan: config.DEFAULT_PLAN,
      adminEmails,
      ...(usersUrl && { providerClient: createProviderClient(usersUrl, config.IDP_USERS_TOKEN) }),
    });
    return {
      app,
      consumers: auditConsumers(isAnonymized),
      close: () => Promise.all(Object.values(exportClients).map((client) => client?.close())),
    };
  },
});

import { erasureLedger } from '@lms/contracts/events/identity';
import { openLedger } from '@lms/events/ledger';
import type { ServiceContext } from '@lms/service/run-service';
import { buildApp } from './app.ts';
import { applyErasures } from './apply-erasures.ts';
import { type Config, parseConfig } from './config.ts';
import { consumers } from './consumers.ts';
import { createProviderClient } from './users/provider-client.ts';

const erasureIntervalMs = 5_000;
// With the wait for its turn, an export takes less than the ten seconds of the gateway. Its parts are in memory as a whole.
const exportLimits = { timeoutMs: 5_000, maxResponseBytes: 32 * 1_024 * 1_024 };

/** Creates the app and its consumers and jobs from the settings and the connections of the process. */
export async function build({ config, createClient, ...context }: ServiceContext<Config>) {
  const { webhookKeys, adminEmails, usersUrl, warnings } = parseConfig(config);
  for (const warning of warnings) context.logger.warn(warning);
  const clientOf = (url: string | undefined) => (url ? createClient(url, exportLimits) : undefined);
  const exportClients = {
    content: clientOf(config.CONTENT_URL),
    media: clientOf(config.MEDIA_URL),
    enrollment: clientOf(config.ENROLLMENT_URL),
  };
  const app = await buildApp({
    ...context,
    exportClients,
    webhooks: { keys: webhookKeys, acceptUntimestamped: config.WEBHOOK_ACCEPT_UNTIMESTAMPED },
    defaultPlan: config.DEFAULT_PLAN,
    adminEmails,
    ...(usersUrl && { providerClient: createProviderClient(usersUrl, config.IDP_USERS_TOKEN) }),
  });
  const ledger = openLedger(context.bus, erasureLedger);
  const apply = async () => {
    const applied = await applyErasures(context.database.db, ledger);
    if (applied.length > 0)
      context.logger.warn({ userIds: applied }, 'users were anonymized again, because the database had been restored');
  };
  return { app, consumers, jobs: [{ name: 'apply erasures', intervalMs: erasureIntervalMs, run: apply }] };
}

import { passports } from '@lms/auth/passports';
import { exportPath, PersonalData } from '@lms/contracts/internal/export';
import type { Plan } from '@lms/contracts/passport';
import type { Database, Db } from '@lms/database/connect';
import { isDatabaseOutage } from '@lms/database/errors';
import type { Cause } from '@lms/events/append-event';
import { idempotency } from '@lms/idempotency/idempotency';
import { createServer } from '@lms/service/create-server';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import type { Registry } from '@lms/telemetry/registry';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { FastifyBaseLogger } from 'fastify';
import { anonymizationDeps } from './anonymization-deps.ts';
import { toAuditEntry } from './audit/presenter.ts';
import { recordChange } from './audit/record-change.ts';
import { audit } from './audit/repository.ts';
import { adminRoutes as auditAdminRoutes } from './audit/routes.ts';
import type { ApplicationDeps } from './mentor-applications/deps.ts';
import { toApplication } from './mentor-applications/presenter.ts';
import { applications } from './mentor-applications/repository.ts';
import { applicantRoutes, adminRoutes as applicationAdminRoutes, learnerRoutes } from './mentor-applications/routes.ts';
import { applyProviderUser, removeProviderUser } from './users/apply-provider-user.ts';
import { grantRole } from './users/assign-role.ts';
import type { UserDeps } from './users/deps.ts';
import type { ExportSources } from './users/export-profile.ts';
import type { ProviderClient } from './users/provider-client.ts';
import { users } from './users/repository.ts';
import { roleAssignments } from './users/role-repository.ts';
import {
  gatewayRoutes,
  internalRoutes,
  lookupRoutes,
  publicRoutes,
  adminRoutes as userAdminRoutes,
  userRoutes,
} from './users/routes.ts';
import { DeletedProviderUser, ProviderUser } from './users/schemas.ts';
import { createWebhookCounter } from './webhooks/metrics.ts';
import { type WebhookHandler, webhookRoutes } from './webhooks/routes.ts';
import type { WebhookStatus } from './webhooks/schemas.ts';
import type { SignatureOptions } from './webhooks/verify-signature.ts';

export interface Deps {
  logger: FastifyBaseLogger;
  database: Database;
  /** The gateway's public key, PEM. */
  passportKey: string;
  /** Wakes the outbox relay. */
  notifyRelay: () => void;
  /** The metrics registry. */
  registry?: Registry;
  webhooks: SignatureOptions;
  defaultPlan: Plan;
  adminEmails: ReadonlySet<string>;
  /** Set in `verify` mode. */
  providerClient?: ProviderClient;
  /** The services that an export collects data from, by the name of their part. Undefined if no URL is configured. */
  exportClients: Readonly<Record<string, ServiceClient | undefined>>;
}

export async function buildApp(deps: Deps) {
  const { logger, database, passportKey, notifyRelay, registry, webhooks, providerClient } = deps;
  const app = createServer({ logger, isOutage: isDatabaseOutage, registry, afterWrite: notifyRelay });
  await app.register(passports, { publicKey: passportKey });
  await app.register(idempotency, { db: database.db, registry });

  const userDeps = { database, ...userDepsOf(deps) };
  const providerDeps = { ...userDeps, ...(providerClient && { providerClient }) };
  const exportSources = (userId: string, context: CallContext) => exportSourcesOf(deps, userId, context);
  const applicationDeps = { database, ...createApplicationDeps() };
  await app.register(gatewayRoutes, { prefix: '/internal', deps: providerDeps });
  await app.register(internalRoutes, { prefix: '/internal', deps: userDeps });
  await app.register(lookupRoutes, { prefix: '/internal', deps: userDeps });
  await app.register(publicRoutes, { prefix: '/api/auth', deps: providerDeps });
  await app.register(userRoutes, { prefix: '/api/auth', deps: { database, exportSources } });
  await app.register(userAdminRoutes, { prefix: '/api/users', deps: userDeps });
  await app.register(learnerRoutes, { prefix: '/api/mentor', deps: applicationDeps });
  await app.register(applicantRoutes, { prefix: '/api/mentor', deps: applicationDeps });
  await app.register(applicationAdminRoutes, { prefix: '/api/admin/mentor', deps: applicationDeps });
  await app.register(auditAdminRoutes, { prefix: '/api/admin', deps: { database } });
  await app.register(webhookRoutes, {
    prefix: '/api/webhooks',
    deps: {
      database,
      signatures: webhooks,
      handlers: createWebhookHandlers(userDeps),
      ...(registry && { countDelivery: createWebhookCounter(registry) }),
    },
  });
  return app;
}

const userDepsOf = ({ defaultPlan, adminEmails }: Deps): UserDeps => ({
  defaultPlan,
  adminEmails,
  ...anonymizationDeps,
});

const createApplicationDeps = (): ApplicationDeps => ({
  lockUser: (tx, userId) => users(tx).lockExisting(userId),
  listActiveRoles: (tx, userId) => roleAssignments(tx).listActiveRoles(userId),
  grantRole: (tx, userId, role, cause) => grantRole(tx, { recordChange }, userId, role, cause),
  recordChange,
});

/** The parts of an export that other features and the other services hold. */
function exportSourcesOf({ database: { db }, exportClients }: Deps, userId: string, context: CallContext) {
  const remote = Object.entries(exportClients).map(([name, client]) => [
    name,
    async () => {
      if (!client) throw new Error(`no URL is configured for the service ${name}`);
      return client.request(PersonalData, context, { path: exportPath });
    },
  ]);
  const sources: ExportSources = {
    mentorApplications: async () => (await applications(db).listByUser(userId)).map(toApplication),
    changes: async () => (await audit(db).listAbout('user', userId)).map(toAuditEntry),
    ...Object.fromEntries(remote),
  };
  return sources;
}

/** How the provider's events change users. */
const createWebhookHandlers = (deps: UserDeps): Record<string, WebhookHandler> => ({
  'user.created': webhookHandler(ProviderUser, (tx, data, cause) =>
    applyProviderUser(tx, deps, data, 'created', cause),
  ),
  'user.updated': webhookHandler(ProviderUser, (tx, data, cause) =>
    applyProviderUser(tx, deps, data, 'updated', cause),
  ),
  'user.deleted': webhookHandler(DeletedProviderUser, (tx, { id }, cause) => removeProviderUser(tx, deps, id, cause)),
});

function webhookHandler<T extends TSchema>(
  data: T,
  handle: (tx: Db, data: Static<T>, cause: Cause) => Promise<WebhookStatus>,
): WebhookHandler {
  return { schema: Type.Object({ type: Type.String(), data }), handle };
}

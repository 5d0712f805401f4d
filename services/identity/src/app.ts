import { passports } from '@lms/auth/passports';
import { exportPath, PersonalData } from '@lms/contracts/internal/export';
import { type Plan, roles } from '@lms/contracts/passport';
import { toWire } from '@lms/contracts/wire';
import type { Database, Db } from '@lms/database/connect';
import { isDatabaseOutage } from '@lms/database/errors';
import type { Cause } from '@lms/events/append-event';
import { idempotency } from '@lms/idempotency/idempotency';
import { createServer } from '@lms/service/create-server';
import type { CallContext, ServiceClient } from '@lms/service/service-client';
import type { Registry } from '@lms/telemetry/registry';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { FastifyBaseLogger } from 'fastify';
import { recordChange } from './audit/record-change.ts';
import { redactUser } from './audit/redact-user.ts';
import { audit } from './audit/repository.ts';
import { adminRoutes as auditAdmins } from './audit/routes.ts';
import { applications } from './mentor-applications/repository.ts';
import { applicantRoutes, adminRoutes as applicationAdmins, learnerRoutes } from './mentor-applications/routes.ts';
import { withdrawOpen } from './mentor-applications/withdraw-application.ts';
import { people, peopleApplying } from './people.ts';
import { adminRoutes as roleAdmins } from './roles/routes.ts';
import { applyProviderUser } from './users/apply-provider-user.ts';
import type { UserDeps } from './users/deps.ts';
import type { ExportSources } from './users/export-profile.ts';
import type { ProviderClient } from './users/provider-client.ts';
import { removeProviderUser } from './users/remove-provider-user.ts';
import { requireAnotherAdmin } from './users/require-another-admin.ts';
import { assignments } from './users/role-repository.ts';
import { gatewayRoutes, internalRoutes, publicRoutes, adminRoutes as userAdmins, userRoutes } from './users/routes.ts';
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
  /** Tells the relay that there may be something to publish. */
  notifyRelay: () => void;
  /** Where requests and webhooks are measured. */
  registry?: Registry;
  webhooks: SignatureOptions;
  defaultPlan: Plan;
  adminEmails: ReadonlySet<string>;
  /** Given where `/auth/sync` asks the provider. */
  providerClient?: ProviderClient;
  /** Who else holds something about people, by the name of their part in an export; undefined where out of reach for good. */
  exportClients: Readonly<Record<string, ServiceClient | undefined>>;
}

export async function buildApp(deps: Deps) {
  const { logger, database, passportKey, notifyRelay, registry, webhooks } = deps;
  const app = createServer({ logger, isOutage: isDatabaseOutage, registry });
  await app.register(passports, { publicKey: passportKey });
  app.addHook('onResponse', async (request) => {
    if (request.method !== 'GET') notifyRelay();
  });

  await app.register(idempotency, { db: database.db, registry });

  const rules = userDepsOf(deps);
  const exportSources = (userId: string, context: CallContext) => exportSourcesOf(deps, userId, context);
  const { providerClient } = deps;
  await app.register(gatewayRoutes, {
    prefix: '/internal',
    deps: { database, rules, ...(providerClient && { providerClient }) },
  });
  await app.register(internalRoutes, { prefix: '/internal', deps: { database, rules } });
  await app.register(publicRoutes, {
    prefix: '/api/auth',
    deps: { database, rules, ...(providerClient && { providerClient }) },
  });
  await app.register(userRoutes, { prefix: '/api/auth', deps: { database, exportSources } });
  await app.register(userAdmins, { prefix: '/api/users', deps: { database, rules } });
  await app.register(roleAdmins, { prefix: '/api/users', deps: { database, people } });
  await app.register(learnerRoutes, { prefix: '/api/mentor', deps: { database, people: peopleApplying } });
  await app.register(applicantRoutes, { prefix: '/api/mentor', deps: { database, people: peopleApplying } });
  await app.register(applicationAdmins, { prefix: '/api/admin/mentor', deps: { database, people: peopleApplying } });
  await app.register(auditAdmins, { prefix: '/api/admin', deps: { database } });
  await app.register(webhookRoutes, {
    prefix: '/api/webhooks',
    deps: {
      database,
      signatures: webhooks,
      handlers: webhookHandlersOf(rules),
      ...(registry && { countDelivery: createWebhookCounter(registry) }),
    },
  });
  return app;
}

function userDepsOf({ defaultPlan, adminEmails }: Deps): UserDeps {
  return {
    defaultPlan,
    adminEmails,
    roles: {
      start: (tx, assignment) => assignments(tx).start(assignment),
      endAll: (tx, userId) => assignments(tx).end(userId, roles, new Date()),
      endGranted: (tx, userId) =>
        assignments(tx).end(
          userId,
          roles.filter((role) => role !== 'LEARNER'),
          new Date(),
        ),
      requireAnotherAdmin,
    },
    recordChange,
    withdrawApplications: withdrawOpen,
    async redactUser(tx, person) {
      await applications(tx).clearTexts(person.id);
      await redactUser(tx, person);
    },
  };
}

/** What is held about somebody besides their record, here and elsewhere. */
function exportSourcesOf(
  { database: { db }, exportClients }: Deps,
  userId: string,
  context: CallContext,
): ExportSources {
  const remote = Object.entries(exportClients).map(([name, client]) => [
    name,
    async () => {
      if (!client) throw new Error(`nobody is set to answer for ${name}`);
      return client.request(PersonalData, context, { path: exportPath });
    },
  ]);
  return {
    mentorApplications: async () => (await applications(db).listAllOf(userId)).map(toWire),
    changes: async () => (await audit(db).listAbout('user', userId)).map(toWire),
    ...Object.fromEntries(remote),
  };
}

/** What the provider's events do to our users. */
function webhookHandlersOf(rules: UserDeps): Record<string, WebhookHandler> {
  return {
    'user.created': webhookHandler(ProviderUser, (tx, data, cause) =>
      applyProviderUser(tx, rules, data, 'created', cause),
    ),
    'user.updated': webhookHandler(ProviderUser, (tx, data, cause) =>
      applyProviderUser(tx, rules, data, 'updated', cause),
    ),
    'user.deleted': webhookHandler(DeletedProviderUser, (tx, { id }, cause) =>
      removeProviderUser(tx, rules, id, cause),
    ),
  };
}

function webhookHandler<T extends TSchema>(
  data: T,
  apply: (tx: Db, data: Static<T>, cause: Cause) => Promise<WebhookStatus>,
): WebhookHandler {
  return { schema: Type.Object({ type: Type.String(), data }), handle: apply };
}

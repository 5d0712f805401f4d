import { passports } from '@lms/auth/passports';
import { userRoleChanged } from '@lms/contracts/events/identity';
import type { Plan } from '@lms/contracts/passport';
import type { Database, Db } from '@lms/database/connect';
import { isDatabaseOutage } from '@lms/database/failures';
import type { Cause } from '@lms/events/append-event';
import { createServer } from '@lms/server/create-server';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { FastifyBaseLogger } from 'fastify';
import type { Metrics } from './metrics.ts';
import { assignments } from './roles/repository.ts';
import { requireAnotherAdmin } from './roles/require-another-admin.ts';
import { admins as roleAdmins } from './roles/routes.ts';
import { announceUser } from './users/announce-user.ts';
import { applyProviderUser } from './users/apply-provider-user.ts';
import { lockUser } from './users/lock-user.ts';
import { removeProviderUser } from './users/remove-provider-user.ts';
import { anyone, everyone, gateway, admins as userAdmins } from './users/routes.ts';
import type { Rules } from './users/rules.ts';
import { DeletedProviderUser, ProviderUser } from './users/schemas.ts';
import { type Effect, provider } from './webhooks/routes.ts';
import type { WebhookStatus } from './webhooks/schemas.ts';
import type { Trust } from './webhooks/verify-signature.ts';

export interface Deps {
  logger: FastifyBaseLogger;
  database: Database;
  /** The gateway's public key, PEM. */
  passportKey: string;
  /** Tells the relay that there may be something to publish. */
  nudge: () => void;
  metrics: Metrics;
  webhooks: Trust;
  defaultPlan: Plan;
  adminEmails: ReadonlySet<string>;
}

export async function buildApp(deps: Deps) {
  const { logger, database, passportKey, nudge, metrics, webhooks, defaultPlan, adminEmails } = deps;
  const app = createServer({ logger, isOutage: isDatabaseOutage });
  await app.register(passports, { publicKey: passportKey });
  app.addHook('onResponse', async (request) => {
    if (request.method !== 'GET') nudge();
  });

  const rules: Rules = {
    defaultPlan,
    adminEmails,
    roles: {
      start: (tx, assignment) => assignments(tx).start(assignment),
      endAll: (tx, userId) => assignments(tx).end(userId, undefined, new Date()),
      requireAnotherAdmin,
    },
  };
  const people = {
    lock: lockUser,
    announceRoles: (tx: Db, userId: string, told: Parameters<typeof announceUser>[3]) =>
      announceUser(tx, userRoleChanged, userId, told),
  };

  await app.register(gateway, { prefix: '/internal', deps: { database, rules } });
  await app.register(anyone, { prefix: '/api/auth', deps: { database, rules } });
  await app.register(everyone, { prefix: '/api/auth', deps: { database, rules } });
  await app.register(userAdmins, { prefix: '/api/users', deps: { database, rules } });
  await app.register(roleAdmins, { prefix: '/api/users', deps: { database, people } });
  await app.register(provider, {
    prefix: '/api/webhooks',
    deps: { database, trust: webhooks, effects: effectsOf(rules), count: metrics.countWebhook },
  });
  return app;
}

/** What the provider's events do to our users. */
function effectsOf(rules: Rules): Record<string, Effect> {
  return {
    'user.created': effect(ProviderUser, (tx, data, cause) => applyProviderUser(tx, rules, data, 'created', cause)),
    'user.updated': effect(ProviderUser, (tx, data, cause) => applyProviderUser(tx, rules, data, 'updated', cause)),
    'user.deleted': effect(DeletedProviderUser, (tx, { id }, cause) => removeProviderUser(tx, rules, id, cause)),
  };
}

function effect<T extends TSchema>(
  data: T,
  apply: (tx: Db, data: Static<T>, cause: Cause) => Promise<WebhookStatus>,
): Effect {
  return { shape: Type.Object({ type: Type.String(), data }), apply };
}

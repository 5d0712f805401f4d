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
import { forgetPerson } from './audit/forget-person.ts';
import { recordChange } from './audit/record-change.ts';
import { audit } from './audit/repository.ts';
import { admins as auditAdmins } from './audit/routes.ts';
import { applications } from './mentor-applications/repository.ts';
import { applicants, admins as applicationAdmins, learners } from './mentor-applications/routes.ts';
import { withdrawOpen } from './mentor-applications/withdraw-application.ts';
import { countWebhooks } from './metrics.ts';
import { people, peopleApplying } from './people.ts';
import { assignments } from './roles/repository.ts';
import { requireAnotherAdmin } from './roles/require-another-admin.ts';
import { admins as roleAdmins } from './roles/routes.ts';
import { applyProviderUser } from './users/apply-provider-user.ts';
import type { AskProvider } from './users/ask-provider.ts';
import type { Sources } from './users/export-profile.ts';
import { removeProviderUser } from './users/remove-provider-user.ts';
import { anyone, everyone, gateway, neighbours, admins as userAdmins } from './users/routes.ts';
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
  notifyRelay: () => void;
  /** Where requests and webhooks are measured. */
  registry?: Registry;
  webhooks: Trust;
  defaultPlan: Plan;
  adminEmails: ReadonlySet<string>;
  /** Given where `/auth/sync` asks the provider. */
  askProvider?: AskProvider;
  /** Who else holds something about people, by the name of their part in an export; undefined where out of reach for good. */
  holders: Readonly<Record<string, ServiceClient | undefined>>;
}

export async function buildApp(deps: Deps) {
  const { logger, database, passportKey, notifyRelay: nudge, registry, webhooks } = deps;
  const app = createServer({ logger, isOutage: isDatabaseOutage, registry });
  await app.register(passports, { publicKey: passportKey });
  app.addHook('onResponse', async (request) => {
    if (request.method !== 'GET') nudge();
  });

  await app.register(idempotency, { db: database.db, registry });

  const rules = rulesOf(deps);
  const sourcesAbout = (userId: string, behalf: CallContext) => sourcesOf(deps, userId, behalf);
  const { askProvider } = deps;
  await app.register(gateway, { prefix: '/internal', deps: { database, rules, ...(askProvider && { askProvider }) } });
  await app.register(neighbours, { prefix: '/internal', deps: { database, rules } });
  await app.register(anyone, { prefix: '/api/auth', deps: { database, rules, ...(askProvider && { askProvider }) } });
  await app.register(everyone, { prefix: '/api/auth', deps: { database, sourcesAbout } });
  await app.register(userAdmins, { prefix: '/api/users', deps: { database, rules } });
  await app.register(roleAdmins, { prefix: '/api/users', deps: { database, people } });
  await app.register(learners, { prefix: '/api/mentor', deps: { database, people: peopleApplying } });
  await app.register(applicants, { prefix: '/api/mentor', deps: { database, people: peopleApplying } });
  await app.register(applicationAdmins, { prefix: '/api/admin/mentor', deps: { database, people: peopleApplying } });
  await app.register(auditAdmins, { prefix: '/api/admin', deps: { database } });
  await app.register(provider, {
    prefix: '/api/webhooks',
    deps: { database, trust: webhooks, effects: effectsOf(rules), ...(registry && { count: countWebhooks(registry) }) },
  });
  return app;
}

function rulesOf({ defaultPlan, adminEmails }: Deps): Rules {
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
    record: recordChange,
    closeOpen: withdrawOpen,
    async forget(tx, person) {
      await applications(tx).clearTexts(person.id);
      await forgetPerson(tx, person);
    },
  };
}

/** What is held about somebody besides their record, here and elsewhere. */
function sourcesOf({ database: { db }, holders }: Deps, userId: string, behalf: CallContext): Sources {
  const elsewhere = Object.entries(holders).map(([name, holder]) => [
    name,
    async () => {
      if (!holder) throw new Error(`nobody is set to answer for ${name}`);
      return holder.request(PersonalData, behalf, { path: exportPath });
    },
  ]);
  return {
    mentorApplications: async () => (await applications(db).listAllOf(userId)).map(toWire),
    changes: async () => (await audit(db).listAbout('user', userId)).map(toWire),
    ...Object.fromEntries(elsewhere),
  };
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

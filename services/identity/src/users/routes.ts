import { createHash } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller, causeOf } from '@lms/auth/passports';
import { allowAnyone, requireGateway, requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { Database } from '@lms/database/connect';
import { pageResponse } from '@lms/service/page-response';
import { Unauthorized } from '@lms/service/problems';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import { anonymizeUser } from './anonymize-user.ts';
import type { UserDeps } from './deps.ts';
import { otherIdentity, UserNotFound } from './errors.ts';
import { type ExportSources, exportProfile } from './export-profile.ts';
import { toPrincipal, toUser } from './presenter.ts';
import type { ProviderClient } from './provider-client.ts';
import { users } from './repository.ts';
import { resolvePrincipal } from './resolve-principal.ts';
import * as schemas from './schemas.ts';
import { syncProvisionally, syncWithProvider } from './sync-user.ts';
import { updateProfile } from './update-profile.ts';
import { updateUser } from './update-user.ts';

interface Options {
  deps: { database: Database; rules: UserDeps };
}

interface ProviderOptions {
  deps: Options['deps'] & {
    /** Given in `verify` mode, where the provider's word is asked for instead of taking a hint. */
    providerClient?: ProviderClient;
  };
}

interface ExportOptions {
  deps: {
    database: Database;
    /** What other rooms and services hold about somebody. */
    exportSources: (userId: string, behalf: CallContext) => ExportSources;
  };
}

export const gatewayRoutes: FastifyPluginAsyncTypebox<ProviderOptions> = async (app, { deps }) => {
  const { database, rules, providerClient: askProvider } = deps;
  requireGateway(app);

  app.post('/principals', { schema: schemas.resolvePrincipal }, async (request) =>
    ok(await resolvePrincipal(database.db, rules, askProvider, request.body, causeOf(request))),
  );
};

/** Neighbours, with the passport of whom they ask about, or of an admin. */
export const internalRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps: { database } }) => {
  app.addHook('onRequest', async ({ principal, isGateway }) => {
    if (!principal && !isGateway) throw new Unauthorized();
  });

  app.get('/principals/:id', { schema: schemas.getPrincipal }, async ({ params: { id }, principal }) => {
    if (principal && principal.userId !== id && !principal.roles.includes('ADMIN')) throw new UserNotFound();
    const person = await users(database.db).get(id);
    if (person.identityProviderId === null) throw new UserNotFound();
    return ok(toPrincipal(person, person.identityProviderId));
  });
};

export const publicRoutes: FastifyPluginAsyncTypebox<ProviderOptions> = async (app, { deps }) => {
  const { rules, providerClient: askProvider } = deps;
  allowAnyone(app);

  app.post('/sync', { schema: schemas.syncUser }, async (request, reply) => {
    const { principal, body } = request;
    if (principal && principal.identityProviderId !== body.userId) throw otherIdentity(principal.roles);
    const cause = causeOf(request);
    const described = askProvider && (await askProvider(body.userId));
    if (askProvider && !described) throw new UserNotFound();
    const db = await request.writeDb();
    const synced = described && (await syncWithProvider(db, rules, described, body, cause));
    if (principal) {
      const own = toUser(await users(db).get(principal.userId));
      return ok(
        { ...own, identityProviderId: principal.identityProviderId, synced: true },
        schemas.messages.synchronised,
      );
    }
    const { user, isNew } = synced ?? (await syncProvisionally(db, rules, body, cause));
    const { userId: identityProviderId, email } = body;
    const shown = { id: user.id, identityProviderId, email, synced: !user.isProvisional };
    const message = shown.synced ? schemas.messages.synchronised : schemas.messages.announced;
    return reply.code(isNew ? 201 : 200).send(ok(shown, message));
  });
};

export const userRoutes: FastifyPluginAsyncTypebox<ExportOptions> = async (app, { deps }) => {
  const { database, exportSources: sourcesAbout } = deps;
  requireRole(app);

  app.get('/profile', { schema: schemas.getProfile }, async (request) =>
    ok(toUser(await users(database.db).get(caller(request).userId))),
  );

  app.put('/profile', { schema: schemas.updateProfile }, async (request) =>
    ok(
      toUser(await updateProfile(database.db, caller(request).userId, request.body, causeOf(request))),
      schemas.messages.profileUpdated,
    ),
  );

  app.get('/profile/export', { schema: schemas.exportProfile }, async (request, reply) => {
    const { userId } = caller(request);
    const own = async () => toUser(await users(database.db).get(userId));
    const parts = await exportProfile({ user: own, ...sourcesAbout(userId, callContextOf(request)) });
    // When it was asked for is no news about what is held.
    reply.header('etag', `"${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}"`);
    return ok({ exportedAt: new Date().toISOString(), ...parts });
  });
};

export const adminRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps: { database, rules } }) => {
  requireRole(app, 'ADMIN');

  app.get('/', { schema: schemas.listUsers }, async (request, reply) => {
    const { items, total } = await users(database.db).list(request.query);
    return pageResponse(request, reply, request.query, { items: items.map(toUser), total });
  });

  app.get('/:id', { schema: schemas.getUser }, async (request) =>
    ok(toUser(await users(database.db).get(request.params.id))),
  );

  app.put('/:id', { schema: schemas.updateUser }, async (request) =>
    ok(
      toUser(await updateUser(database.db, rules, request.params.id, request.body, causeOf(request))),
      schemas.messages.updated,
    ),
  );

  app.post('/:id/anonymize', { schema: schemas.anonymizeUser }, async (request) =>
    ok(
      toUser(await anonymizeUser(await request.writeDb(), rules, request.params.id, causeOf(request))),
      schemas.messages.anonymized,
    ),
  );
};

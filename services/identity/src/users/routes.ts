import { createHash } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller, causeOf } from '@lms/auth/passports';
import { allowAnyone, requireGateway, requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { Database } from '@lms/database/connect';
import { limitConcurrency, onceSent } from '@lms/service/limit-concurrency';
import { pageResponse } from '@lms/service/page-response';
import { invalid, Unauthorized } from '@lms/service/problems';
import { type CallContext, callContextOf } from '@lms/service/service-client';
import { anonymizeUser } from './anonymize-user.ts';
import { assignRole } from './assign-role.ts';
import type { UserDeps } from './deps.ts';
import { endRole } from './end-role.ts';
import { NotSynchronised, otherIdentity, UserNotFound } from './errors.ts';
import { type ExportSources, exportProfile } from './export-profile.ts';
import * as exportSchemas from './export-schemas.ts';
import { lookUpUsers } from './look-up-users.ts';
import { toPrincipal, toUser, toUserRole } from './presenter.ts';
import type { ProviderClient } from './provider-client.ts';
import { users } from './repository.ts';
import { resolvePrincipal } from './resolve-principal.ts';
import { roleAssignments } from './role-repository.ts';
import * as roleSchemas from './role-schemas.ts';
import * as schemas from './schemas.ts';
import { syncProvisionally, syncWithProvider, syncWithToken } from './sync-user.ts';
import { updateProfile } from './update-profile.ts';
import { updateUser } from './update-user.ts';
import { writeArchive } from './write-archive.ts';

interface Options {
  deps: UserDeps & { database: Database };
}

interface ProviderOptions {
  deps: Options['deps'] & {
    /** Set in `verify` mode: the provider's state is used instead of a hint. */
    providerClient?: ProviderClient;
  };
}

interface ExportOptions {
  deps: {
    database: Database;
    /** The parts of an export besides the user: other features and services. */
    exportSources: (userId: string, context: CallContext) => ExportSources;
  };
}

// An export is in memory as a whole, while it is collected several times.
const collectingLimits = { max: 1, maxWaitMs: 3_000 };
// Of large ones, few are in memory while their clients read them.
const largeLength = 1_024 * 1_024;
const sendingLimits = { max: 2, maxWaitMs: 0 };
const maxSendingMs = 120_000;

export const gatewayRoutes: FastifyPluginAsyncTypebox<ProviderOptions> = async (app, { deps }) => {
  requireGateway(app);

  app.post('/principals', { schema: schemas.resolvePrincipal }, async (request) => {
    const { database, providerClient } = deps;
    return ok(await resolvePrincipal(database.db, deps, providerClient, request.body, causeOf(request)));
  });
};

export const internalRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps: { database } }) => {
  // Other services, with the passport of the user in question or of an admin; and the gateway.
  app.addHook('onRequest', async ({ principal, isGateway }) => {
    if (!principal && !isGateway) throw new Unauthorized();
  });

  app.get('/principals/:id', { schema: schemas.getPrincipal }, async ({ params: { id }, principal }) => {
    if (principal && principal.userId !== id && !principal.roles.includes('ADMIN')) throw new UserNotFound();
    const user = await users(database.db).get(id);
    if (user.identityProviderId === null || user.deletedAt) throw new UserNotFound();
    return ok(toPrincipal(user, user.identityProviderId));
  });
};

// 500 e-mails of 254 characters.
const maxLookupBytes = 1_024 * 1_024;

/** For other services, with the passport of an admin. */
export const lookupRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps: { database } }) => {
  requireRole(app, 'ADMIN');

  app.post('/users/lookup', { bodyLimit: maxLookupBytes, schema: schemas.lookUpUsers }, async ({ body }) =>
    ok(await lookUpUsers(database.db, body)),
  );
};

export const publicRoutes: FastifyPluginAsyncTypebox<ProviderOptions> = async (app, { deps }) => {
  allowAnyone(app);

  app.post('/sync', { schema: schemas.syncUser }, async (request, reply) => {
    const { principal, tokenClaims, body } = request;
    const { providerClient } = deps;
    const subject = (principal ?? tokenClaims)?.identityProviderId;
    if (subject !== undefined && subject !== body.userId) throw otherIdentity(principal?.roles ?? []);
    // The account of the token has been requested from the provider.
    if (tokenClaims && providerClient) throw new NotSynchronised();
    const cause = causeOf(request);
    const described = await providerClient?.findUser(body.userId);
    if (providerClient && !described) throw new UserNotFound();
    const db = await request.writeDb();
    const synced = described && (await syncWithProvider(db, deps, described, body, cause));
    if (principal) {
      const own = toUser(await users(db).get(principal.userId));
      const { identityProviderId, isNew } = principal;
      const response = { ...own, identityProviderId, synced: true };
      return reply.code(isNew ? 201 : 200).send(ok(response, schemas.messages.synchronised));
    }
    if (tokenClaims) {
      const { user, isNew } = await syncWithToken(db, deps, tokenClaims, body, cause);
      const own = { ...toUser(user), identityProviderId: body.userId, synced: true };
      return reply.code(isNew ? 201 : 200).send(ok(own, schemas.messages.synchronised));
    }
    const { user, isNew } = synced ?? (await syncProvisionally(db, deps, body, cause));
    const { userId: identityProviderId, email } = body;
    const response = { id: user.id, identityProviderId, email, synced: !user.isProvisional };
    const message = response.synced ? schemas.messages.synchronised : schemas.messages.announced;
    return reply.code(isNew ? 201 : 200).send(ok(response, message));
  });
};

export const userRoutes: FastifyPluginAsyncTypebox<ExportOptions> = async (app, { deps }) => {
  requireRole(app);
  const { database, exportSources } = deps;
  const beginCollecting = limitConcurrency(collectingLimits);
  const beginSending = limitConcurrency(sendingLimits);

  app.get('/profile', { schema: schemas.getProfile }, async (request) =>
    ok(toUser(await users(database.db).get(caller(request).userId))),
  );

  app.put('/profile', { schema: schemas.updateProfile }, async (request) => {
    const user = await updateProfile(database.db, caller(request).userId, request.body, causeOf(request));
    return ok(toUser(user), schemas.messages.profileUpdated);
  });

  app.get('/profile/export', { schema: exportSchemas.exportProfile }, async (request, reply) => {
    const { userId } = caller(request);
    const endCollecting = await beginCollecting(userId);
    const user = async () => toUser(await users(database.db).get(userId));
    const sources = { user, ...exportSources(userId, callContextOf(request)) };
    const parts = await exportProfile(sources).finally(endCollecting);
    const json = JSON.stringify(parts);
    if (json.length > largeLength) onceSent(reply, await beginSending(userId), maxSendingMs);
    // The ETag covers the data without the time of the export, which differs in every response.
    const tag = createHash('sha256').update(json).digest('base64url');
    const exportedAt = new Date();
    if (request.query.format !== 'zip')
      return reply
        .header('etag', `"${tag}"`)
        .type('application/json; charset=utf-8')
        .send(`{"success":true,"data":{"exportedAt":"${exportedAt.toISOString()}",${json.slice(1)}}`);
    return reply
      .header('etag', `"${tag}.zip"`)
      .header('content-disposition', 'attachment; filename="profile.zip"')
      .type('application/zip')
      .send(writeArchive(parts, exportedAt));
  });
};

export const adminRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps }) => {
  requireRole(app, 'ADMIN');
  const { db } = deps.database;

  app.get('/', { schema: schemas.listUsers }, async (request, reply) => {
    const { items, total } = await users(db).list(request.query);
    return pageResponse(request, reply, request.query, { items: items.map(toUser), total });
  });

  app.get('/:id', { schema: schemas.getUser }, async (request) => ok(toUser(await users(db).get(request.params.id))));

  app.put('/:id', { schema: schemas.updateUser }, async (request) => {
    const user = await updateUser(db, deps, request.params.id, request.body, causeOf(request));
    return ok(toUser(user), schemas.messages.updated);
  });

  app.post('/:id/anonymize', { schema: schemas.anonymizeUser }, async (request) => {
    const user = await anonymizeUser(await request.writeDb(), deps, request.params.id, {
      cause: causeOf(request),
    });
    return ok(toUser(user), schemas.messages.anonymized);
  });

  app.get('/:id/roles', { schema: roleSchemas.listUserRoles }, async (request, reply) => {
    const { params, query } = request;
    await users(db).get(params.id);
    const { items, total } = await roleAssignments(db).list(params.id, query);
    return pageResponse(request, reply, query, { items: items.map(toUserRole), total });
  });

  app.post('/:id/roles', { schema: roleSchemas.assignRole }, async (request, reply) => {
    const { params, body } = request;
    const assignment = await assignRole(await request.writeDb(), deps, params.id, body.role, causeOf(request));
    return reply.code(201).send(ok(toUserRole(assignment), roleSchemas.roleMessages.assigned));
  });

  app.delete('/:id/roles', { schema: roleSchemas.endRole }, async (request) => {
    const { params, query, body } = request;
    const role = body.role ?? query.role;
    if (!role) throw invalid({ field: 'role', message: 'is required' });
    if (query.role && query.role !== role)
      throw invalid({ field: 'role', message: 'must be the same in body and query', value: query.role });
    const ended = await endRole(db, deps, params.id, role, causeOf(request));
    return ok(toUserRole(ended), roleSchemas.roleMessages.removed);
  });
};

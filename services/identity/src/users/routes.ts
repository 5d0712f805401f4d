import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { caller, causeOf } from '@lms/auth/passports';
import { allowAnyone, requireGateway, requireRole } from '@lms/auth/require-role';
import { ok } from '@lms/contracts/envelope';
import type { Database } from '@lms/database/connect';
import { pageOf } from '@lms/server/send-page';
import { ForeignIdentity } from './errors.ts';
import { toUser } from './present.ts';
import { users } from './repository.ts';
import { resolvePrincipal } from './resolve-principal.ts';
import type { Rules } from './rules.ts';
import { GetProfile, GetUser, ListUsers, ResolvePrincipal, SyncUser, UpdateProfile, UpdateUser } from './schemas.ts';
import { syncProvisionally } from './sync-user.ts';
import { updateProfile } from './update-profile.ts';
import { updateUser } from './update-user.ts';

interface Options {
  deps: { database: Database; rules: Rules };
}

export const gateway: FastifyPluginAsyncTypebox<Options> = async (app, { deps: { database, rules } }) => {
  requireGateway(app);

  app.post('/principals', { schema: ResolvePrincipal }, async (request) =>
    ok(await resolvePrincipal(database.db, rules, request.body, causeOf(request))),
  );
};

export const anyone: FastifyPluginAsyncTypebox<Options> = async (app, { deps: { database, rules } }) => {
  allowAnyone(app);

  app.post('/sync', { schema: SyncUser }, async (request, reply) => {
    const { principal, body } = request;
    if (principal && principal.identityProviderId !== body.userId) throw new ForeignIdentity();
    if (principal) {
      const own = toUser(await users(database.db).get(principal.userId));
      return ok({ ...own, identityProviderId: principal.identityProviderId, synced: true });
    }
    const { person, isNew } = await syncProvisionally(database.db, rules, body, causeOf(request));
    const { id, isProvisional } = person;
    return reply.code(isNew ? 201 : 200).send(ok({ id, identityProviderId: body.userId, synced: !isProvisional }));
  });
};

export const everyone: FastifyPluginAsyncTypebox<Options> = async (app, { deps: { database } }) => {
  requireRole(app);

  app.get('/profile', { schema: GetProfile }, async (request) =>
    ok(toUser(await users(database.db).get(caller(request).userId))),
  );

  app.put('/profile', { schema: UpdateProfile }, async (request) =>
    ok(toUser(await updateProfile(database.db, caller(request).userId, request.body, causeOf(request)))),
  );
};

export const admins: FastifyPluginAsyncTypebox<Options> = async (app, { deps: { database, rules } }) => {
  requireRole(app, 'ADMIN');

  app.get('/', { schema: ListUsers }, async (request, reply) => {
    const { items, total } = await users(database.db).list(request.query);
    return pageOf(request, reply, request.query, { items: items.map(toUser), total });
  });

  app.get('/:id', { schema: GetUser }, async (request) => ok(toUser(await users(database.db).get(request.params.id))));

  app.put('/:id', { schema: UpdateUser }, async (request) =>
    ok(toUser(await updateUser(database.db, rules, request.params.id, request.body, causeOf(request)))),
  );
};

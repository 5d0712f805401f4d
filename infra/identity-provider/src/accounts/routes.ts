import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import { type Accounts, changeAccount, createAccount, deleteAccount, getAccount } from './accounts.ts';
import { ChangeUser, CreateUser, DeletedUser, toUser, User, UserParams } from './schemas.ts';

export const accountRoutes: FastifyPluginAsyncTypebox<{ deps: Accounts }> = async (app, { deps }) => {
  app.get('/users', { schema: { response: { 200: Type.Array(User) } } }, async () =>
    deps.store.read().accounts.map(toUser),
  );

  app.post('/users', { schema: { body: CreateUser, response: { 201: User } } }, async (request, reply) => {
    const account = await createAccount(deps, request.body);
    return reply.code(201).send(toUser(account));
  });

  app.get('/users/:id', { schema: { params: UserParams, response: { 200: User } } }, async (request) =>
    toUser(getAccount(deps.store.read(), request.params.id)),
  );

  app.patch(
    '/users/:id',
    { schema: { params: UserParams, body: ChangeUser, response: { 200: User } } },
    async (request) => toUser(await changeAccount(deps, request.params.id, request.body)),
  );

  app.delete('/users/:id', { schema: { params: UserParams, response: { 200: DeletedUser } } }, async (request) => {
    const { id } = request.params;
    await deleteAccount(deps, id);
    return { id, deleted: true } as const;
  });
};

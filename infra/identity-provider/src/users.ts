import createError from '@fastify/error';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { onRequestHookHandler } from 'fastify';
import {
  type Account,
  createAccount,
  findByEmail,
  hashPassword,
  NewAccount,
  type Store,
  toWebhookUser,
} from './store.ts';
import type { Webhooks } from './webhooks.ts';

const UserNotFound = createError('not_found', 'No such user', 404);
const EmailTaken = createError('email_taken', 'Another user has this e-mail address', 409);

const ChangeUser = Type.Partial(NewAccount, { minProperties: 1 });
const params = Type.Object({ id: Type.String() });

/** Creates, changes and deletes users. Each change is saved together with its webhook. */
export const userRoutes: FastifyPluginAsyncTypebox<{ deps: { store: Store; webhooks: Webhooks } }> = async (
  app,
  { deps: { store, webhooks } },
) => {
  const { accounts } = store.state;

  app.get('/users', async () => accounts.map(toUser));

  app.get('/users/:id', { schema: { params } }, async (request) => toUser(getAccount(request.params.id)));

  app.post('/users', { schema: { body: NewAccount } }, async ({ body }, reply) => {
    assertEmailFree(body.email);
    const account = createAccount(body);
    accounts.push(account);
    webhooks.publish('user.created', account.id, toWebhookUser(account));
    return reply.code(201).send(toUser(account));
  });

  app.patch('/users/:id', { schema: { params, body: ChangeUser } }, async (request) => {
    const account = getAccount(request.params.id);
    const { password, ...changes } = request.body;
    assertEmailFree(changes.email ?? account.email, account);
    const hashed = password ? { passwordHash: hashPassword(password) } : {};
    Object.assign(account, changes, hashed, { updatedAt: nextRevision(account) });
    webhooks.publish('user.updated', account.id, toWebhookUser(account));
    return toUser(account);
  });

  // Many clients send a JSON content type without a body, for which Fastify would respond with 400.
  const onRequest: onRequestHookHandler = ({ raw }, _reply, done) => {
    raw.headers['content-type'] = undefined;
    done();
  };
  app.delete('/users/:id', { schema: { params }, onRequest }, async (request) => {
    const account = getAccount(request.params.id);
    accounts.splice(accounts.indexOf(account), 1);
    const deleted = { id: account.id, deleted: true };
    webhooks.publish('user.deleted', account.id, { ...deleted, updated_at: nextRevision(account) });
    return deleted;
  });

  function getAccount(id: string): Account {
    const account = accounts.find((candidate) => candidate.id === id);
    if (!account) throw new UserNotFound();
    return account;
  }

  function assertEmailFree(email: string, owner?: Account): void {
    const holder = findByEmail(accounts, email);
    if (holder && holder !== owner) throw new EmailTaken();
  }
};

/** It increases with every change, even within one millisecond. */
const nextRevision = ({ updatedAt }: Account) => Math.max(Date.now(), updatedAt + 1);

/** A user in the API: the webhook's representation, with the e-mail address at the top level. */
const toUser = (account: Account) => ({ ...toWebhookUser(account), email: account.email });

import { generateKeyPairSync, randomBytes, scryptSync } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from '@sinclair/typebox';
import type { Account, State, Store } from './store.ts';
import { createDelivery, type Webhooks } from './webhooks.ts';

const PersonName = Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()]));
const CreateUser = Type.Object({
  email: Type.String({ format: 'email', maxLength: 254 }),
  password: Type.String({ minLength: 1, maxLength: 256 }),
  firstName: PersonName,
  lastName: PersonName,
  emailVerified: Type.Optional(Type.Boolean()),
});
const ChangeUser = Type.Partial(CreateUser, { minProperties: 1 });
const UserParams = Type.Object({ id: Type.String() });

/** Creates, changes and deletes users. Each change is saved together with its webhook. */
export const userRoutes: FastifyPluginAsyncTypebox<{ deps: { store: Store; webhooks: Webhooks } }> = async (
  app,
  { deps: { store, webhooks } },
) => {
  const { accounts } = store.state;

  app.get('/users', async () => accounts.map(toUser));

  app.get('/users/:id', { schema: { params: UserParams } }, async ({ params }) => toUser(getAccount(params.id)));

  app.post('/users', { schema: { body: CreateUser } }, async ({ body }, reply) => {
    assertEmailFree(body.email);
    const account = buildAccount(body);
    accounts.push(account);
    webhooks.publish('user.created', account.id, toWebhookUser(account));
    return reply.code(201).send(toUser(account));
  });

  app.patch('/users/:id', { schema: { params: UserParams, body: ChangeUser } }, async ({ params, body }) => {
    const account = getAccount(params.id);
    const { email, emailVerified, firstName, lastName, password } = { ...account, password: undefined, ...body };
    assertEmailFree(email, account);
    if (email !== account.email) account.emailId = newId('idn');
    if (password) account.passwordHash = hashPassword(password);
    Object.assign(account, { email, emailVerified, firstName, lastName, updatedAt: nextRevision(account) });
    webhooks.publish('user.updated', account.id, toWebhookUser(account));
    return toUser(account);
  });

  app.delete(
    '/users/:id',
    {
      schema: { params: UserParams },
      // Many clients send a JSON content type without a body.
      onRequest: async ({ raw }) => {
        raw.headers['content-type'] = undefined;
      },
    },
    async ({ params: { id } }) => {
      const account = getAccount(id);
      accounts.splice(accounts.indexOf(account), 1);
      webhooks.publish('user.deleted', id, { id, deleted: true, updated_at: nextRevision(account) });
      return { id, deleted: true };
    },
  );

  function getAccount(id: string): Account {
    const account = accounts.find((candidate) => candidate.id === id);
    if (!account) throw createError(404, 'not_found', 'No such user');
    return account;
  }

  function assertEmailFree(email: string, owner?: Account): void {
    const holder = findByEmail(accounts, email);
    if (holder && holder !== owner) throw createError(409, 'email_taken', 'Another user has this e-mail address');
  }
};

const createError = (statusCode: number, code: string, message: string) =>
  Object.assign(new Error(message), { statusCode, code });

/** The account with this e-mail (case is ignored), if the password is correct. */
export function authenticate({ accounts }: State, email: string, password: string): Account | undefined {
  const account = findByEmail(accounts, email.trim());
  const salt = account?.passwordHash.split('$')[1];
  return account?.passwordHash === hashPassword(password, salt) ? account : undefined;
}

function findByEmail(accounts: Account[], email: string): Account | undefined {
  const wanted = email.toLowerCase();
  return accounts.find((account) => account.email.toLowerCase() === wanted);
}

/** The state of a new provider: one signing key and three accounts, whose webhooks are still to be sent. */
export function createInitialState(): State {
  const accounts = [
    { email: 'admin@lms.test', firstName: 'Ada', lastName: 'Admin' },
    { email: 'mentor@lms.test', firstName: 'Mina', lastName: 'Mentor' },
    { email: 'learner@lms.test', firstName: 'Leo', lastName: 'Learner' },
  ].map((person) => buildAccount({ ...person, password: 'password' }));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    accounts,
    keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256' }],
    cookieKeys: [randomBytes(32).toString('base64url')],
    deliveries: accounts.map((account) => createDelivery('user.created', account.id, toWebhookUser(account))),
  };
}

function buildAccount(given: Static<typeof CreateUser>): Account {
  const { email, emailVerified = true, firstName = null, lastName = null, password } = given;
  const now = Date.now();
  return {
    id: newId('user'),
    email,
    emailId: newId('idn'),
    emailVerified,
    firstName,
    lastName,
    passwordHash: hashPassword(password),
    createdAt: now,
    updatedAt: now,
  };
}

/** `scrypt$salt$hash`, both in base64url, with Node's default cost. */
function hashPassword(password: string, salt = randomBytes(16).toString('base64url')): string {
  const hash = scryptSync(password.normalize('NFC'), Buffer.from(salt, 'base64url'), 32);
  return `scrypt$${salt}$${hash.toString('base64url')}`;
}

const newId = (prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`;

const nextRevision = ({ updatedAt }: Account) => Math.max(Date.now(), updatedAt + 1);

/** A user in the API: the webhook's representation, with the e-mail address at the top level. */
const toUser = (account: Account) => ({ ...toWebhookUser(account), email: account.email });

function toWebhookUser(account: Account) {
  const status = account.emailVerified ? 'verified' : 'unverified';
  return {
    id: account.id,
    email_addresses: [{ id: account.emailId, email_address: account.email, verification: { status } }],
    primary_email_address_id: account.emailId,
    first_name: account.firstName,
    last_name: account.lastName,
    created_at: account.createdAt,
    updated_at: account.updatedAt,
  };
}

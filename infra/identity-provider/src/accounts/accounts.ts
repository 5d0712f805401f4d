import { randomBytes } from 'node:crypto';
import { HttpError, notFound } from '../errors.ts';
import type { Account, Delivery, State } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { hashPassword, passwordMatches } from './passwords.ts';
import { type ChangeUser, type CreateUser, toWebhookUser } from './schemas.ts';

export interface Accounts {
  store: Store;
  /** Whether changes are sent to the webhook. */
  sendWebhooks: boolean;
}

const newId = (prefix: string) => `${prefix}_${randomBytes(16).toString('hex')}`;

export async function buildAccount(given: CreateUser): Promise<Account> {
  const now = Date.now();
  return {
    id: newId('user'),
    email: given.email,
    emailId: newId('idn'),
    emailVerified: given.emailVerified ?? true,
    firstName: given.firstName ?? null,
    lastName: given.lastName ?? null,
    passwordHash: await hashPassword(given.password),
    createdAt: now,
    updatedAt: now,
  };
}

/** The account with this e-mail (case is ignored), if the password is correct. */
export async function authenticate(store: Store, email: string, password: string): Promise<Account | undefined> {
  const account = findByEmail(store.read(), email.trim());
  return account && (await passwordMatches(password, account.passwordHash)) ? account : undefined;
}

/** @throws HttpError if the e-mail is taken */
export async function createAccount(deps: Accounts, given: CreateUser): Promise<Account> {
  assertEmailFree(deps.store.read(), given.email);
  const account = await buildAccount(given);
  return deps.store.update((state) => {
    assertEmailFree(state, account.email);
    return [changeTo(deps, state, [...state.accounts, account], userCreated(account)), account];
  });
}

/** @throws HttpError if the account is unknown or the e-mail is taken */
export async function changeAccount(deps: Accounts, id: string, given: ChangeUser) {
  const passwordHash = given.password === undefined ? undefined : await hashPassword(given.password);
  return deps.store.update((state) => {
    const account = getAccount(state, id);
    const email = given.email ?? account.email;
    assertEmailFree(state, email, id);
    const changed: Account = {
      ...account,
      email,
      emailId: email === account.email ? account.emailId : newId('idn'),
      emailVerified: given.emailVerified ?? account.emailVerified,
      firstName: given.firstName === undefined ? account.firstName : given.firstName,
      lastName: given.lastName === undefined ? account.lastName : given.lastName,
      passwordHash: passwordHash ?? account.passwordHash,
      updatedAt: nextRevision(account),
    };
    const accounts = state.accounts.map((candidate) => (candidate.id === id ? changed : candidate));
    return [changeTo(deps, state, accounts, createDelivery('user.updated', id, toWebhookUser(changed))), changed];
  });
}

/** @throws HttpError if the account is unknown */
export function deleteAccount(deps: Accounts, id: string): Promise<void> {
  return deps.store.update((state) => {
    const data = { id, deleted: true, updated_at: nextRevision(getAccount(state, id)) };
    const accounts = state.accounts.filter((candidate) => candidate.id !== id);
    return [changeTo(deps, state, accounts, createDelivery('user.deleted', id, data)), undefined];
  });
}

/** The state with these accounts, and with the webhook about the change if webhooks are sent. */
const changeTo = ({ sendWebhooks }: Accounts, state: State, accounts: Account[], delivery: Delivery): State => ({
  ...state,
  accounts,
  deliveries: sendWebhooks ? [...state.deliveries, delivery] : state.deliveries,
});

/** @throws HttpError if it is unknown */
export function getAccount(state: State, id: string): Account {
  const account = state.accounts.find((candidate) => candidate.id === id);
  if (!account) throw notFound('No such user');
  return account;
}

export const userCreated = (account: Account): Delivery =>
  createDelivery('user.created', account.id, toWebhookUser(account));

function createDelivery(type: string, userId: string, data: object): Delivery {
  return { id: newId('msg'), userId, type, body: JSON.stringify({ type, data }) };
}

const nextRevision = ({ updatedAt }: Account) => Math.max(Date.now(), updatedAt + 1);

function findByEmail(state: State, email: string): Account | undefined {
  const wanted = email.toLowerCase();
  return state.accounts.find((account) => account.email.toLowerCase() === wanted);
}

function assertEmailFree(state: State, email: string, ownId?: string): void {
  const holder = findByEmail(state, email);
  if (holder && holder.id !== ownId) throw new HttpError(409, 'email_taken', 'Another user has this e-mail address');
}

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
export async function createAccount({ store, sendWebhooks }: Accounts, given: CreateUser): Promise<Account> {
  assertEmailFree(store.read(), given.email);
  const account = await buildAccount(given);
  return store.update((state) => {
    assertEmailFree(state, account.email);
    const deliveries = [...state.deliveries, ...(sendWebhooks ? [userCreated(account)] : [])];
    return [{ ...state, accounts: [...state.accounts, account], deliveries }, account];
  });
}

/** @throws HttpError if the account is unknown or the e-mail is taken */
export async function changeAccount({ store, sendWebhooks }: Accounts, id: string, given: ChangeUser) {
  const passwordHash = given.password === undefined ? undefined : await hashPassword(given.password);
  return store.update((state) => {
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
    const updated = () => createDelivery('user.updated', id, toWebhookUser(changed));
    const deliveries = [...state.deliveries, ...(sendWebhooks ? [updated()] : [])];
    return [{ ...state, accounts, deliveries }, changed];
  });
}

/** @throws HttpError if the account is unknown */
export function deleteAccount({ store, sendWebhooks }: Accounts, id: string): Promise<void> {
  return store.update((state) => {
    const data = { id, deleted: true, updated_at: nextRevision(getAccount(state, id)) };
    const accounts = state.accounts.filter((candidate) => candidate.id !== id);
    const deliveries = [...state.deliveries, ...(sendWebhooks ? [createDelivery('user.deleted', id, data)] : [])];
    return [{ ...state, accounts, deliveries }, undefined];
  });
}

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

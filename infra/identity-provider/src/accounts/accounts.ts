import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { HttpError, notFound } from '../errors.ts';
import type { Account, Delivery, State, Store } from '../store.ts';
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
  const account = await buildAccount(given);
  return deps.store.update((draft) => {
    assertEmailFree(draft, account.email);
    draft.accounts.push(account);
    addDelivery(deps, draft, userCreated(account));
    return account;
  });
}

/** @throws HttpError if the account is unknown or the e-mail is taken */
export async function changeAccount(deps: Accounts, id: string, { password, ...changes }: ChangeUser) {
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  return deps.store.update((draft) => {
    const account = getAccount(draft, id);
    const { email = account.email } = changes;
    assertEmailFree(draft, email, id);
    if (email !== account.email) account.emailId = newId('idn');
    Object.assign(account, changes, passwordHash && { passwordHash }, { updatedAt: nextRevision(account) });
    addDelivery(deps, draft, createDelivery('user.updated', id, toWebhookUser(account)));
    return account;
  });
}

/** @throws HttpError if the account is unknown */
export function deleteAccount(deps: Accounts, id: string): Promise<void> {
  return deps.store.update((draft) => {
    const account = getAccount(draft, id);
    draft.accounts.splice(draft.accounts.indexOf(account), 1);
    const data = { id, deleted: true, updated_at: nextRevision(account) };
    addDelivery(deps, draft, createDelivery('user.deleted', id, data));
  });
}

function addDelivery({ sendWebhooks }: Accounts, draft: State, delivery: Delivery): void {
  if (sendWebhooks) draft.deliveries.push(delivery);
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

const runScrypt = promisify<string, Buffer, number, Buffer>(scrypt);
const derive = (password: string, salt: Buffer) => runScrypt(password.normalize('NFC'), salt, 32);

/** `scrypt$salt$hash`, both in base64url, with Node's default cost. */
async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt$${salt.toString('base64url')}$${(await derive(password, salt)).toString('base64url')}`;
}

async function passwordMatches(password: string, stored: string): Promise<boolean> {
  const [, salt = '', hash = ''] = stored.split('$');
  const expected = Buffer.from(hash, 'base64url');
  const actual = await derive(password, Buffer.from(salt, 'base64url'));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

import { randomBytes } from 'node:crypto';
import type { Account, State } from '../state/state.ts';
import type { Store } from '../state/store.ts';
import { EmailTaken } from './errors.ts';
import { hashPassword } from './passwords.ts';

export interface Accounts {
  store: Store;
  /** Whether changes are sent to the webhook. */
  sendWebhooks: boolean;
}

export interface NewAccount {
  email: string;
  password: string;
  firstName?: string | null;
  lastName?: string | null;
  /** True by default. */
  emailVerified?: boolean;
}

export async function buildAccount(given: NewAccount): Promise<Account> {
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

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(16).toString('hex')}`;
}

export function findByEmail(state: State, email: string): Account | undefined {
  const wanted = email.toLowerCase();
  return state.accounts.find((account) => account.email.toLowerCase() === wanted);
}

/** @throws EmailTaken if an account other than `ownId` has the address; case is ignored */
export function assertEmailFree(state: State, email: string, ownId?: string): void {
  const holder = findByEmail(state, email);
  if (holder && holder.id !== ownId) throw new EmailTaken();
}

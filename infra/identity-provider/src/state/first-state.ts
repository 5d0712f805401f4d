import { randomBytes } from 'node:crypto';
import { makeAccount } from '../accounts/account.ts';
import { userCreated } from '../accounts/events.ts';
import { createSigningKey } from '../keys/signing-keys.ts';
import type { State } from './state.ts';

const people = [
  { email: 'admin@lms.test', firstName: 'Ada', lastName: 'Admin' },
  { email: 'mentor@lms.test', firstName: 'Mina', lastName: 'Mentor' },
  { email: 'learner@lms.test', firstName: 'Leo', lastName: 'Learner' },
];

/** What a provider without a data file begins with: one signing key and three accounts, announced to the webhook. */
export async function makeFirstState({ announce }: { announce: boolean }): Promise<State> {
  const accounts = await Promise.all(
    people.map((person) => makeAccount({ ...person, password: 'password', emailVerified: true })),
  );
  return {
    accounts,
    keys: [await createSigningKey()],
    cookieKeys: [randomBytes(32).toString('base64url')],
    deliveries: announce ? accounts.map(userCreated) : [],
  };
}

import { randomBytes } from 'node:crypto';
import { buildAccount, userCreated } from './accounts/accounts.ts';
import { createSigningKey } from './keys.ts';
import type { State } from './store.ts';

const initialUsers = [
  { email: 'admin@lms.test', firstName: 'Ada', lastName: 'Admin' },
  { email: 'mentor@lms.test', firstName: 'Mina', lastName: 'Mentor' },
  { email: 'learner@lms.test', firstName: 'Leo', lastName: 'Learner' },
];

/** The state of a new provider: one signing key and three accounts, which are sent to the webhook. */
export async function createInitialState({ sendWebhooks }: { sendWebhooks: boolean }): Promise<State> {
  const accounts = await Promise.all(
    initialUsers.map((person) => buildAccount({ ...person, password: 'password', emailVerified: true })),
  );
  return {
    accounts,
    keys: [await createSigningKey()],
    cookieKeys: [randomBytes(32).toString('base64url')],
    deliveries: sendWebhooks ? accounts.map(userCreated) : [],
  };
}

import { generateKeyPairSync, randomBytes, scryptSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';

export type Account = ReturnType<typeof createAccount>;
export type State = ReturnType<typeof createInitialState>;
export type Delivery = State['deliveries'][number];
export type Store = ReturnType<typeof openStore>;

const PersonName = Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()]));
export const NewAccount = Type.Object(
  {
    email: Type.String({ format: 'email', maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: 256 }),
    firstName: PersonName,
    lastName: PersonName,
    emailVerified: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** Opens the state in `file`; if there is none yet, `createState` creates it. Changes last once they are saved. */
export function openStore(file: string, createState: () => State) {
  mkdirSync(dirname(file), { recursive: true });
  const state: State = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : createState();

  /** Replaces the file atomically, so that a crash leaves either the old state or the new one. */
  function save(): void {
    writeFileSync(`${file}.next`, JSON.stringify(state, null, 1), { mode: 0o600, flush: true });
    renameSync(`${file}.next`, file);
  }

  save();
  return { state, save };
}

/** The state of a new provider: one signing key and three accounts, whose webhooks are still to be sent. */
export function createInitialState() {
  const accounts = [
    { email: 'admin@lms.test', firstName: 'Ada', lastName: 'Admin' },
    { email: 'mentor@lms.test', firstName: 'Mina', lastName: 'Mentor' },
    { email: 'learner@lms.test', firstName: 'Leo', lastName: 'Learner' },
  ].map((person) => createAccount({ ...person, password: 'password' }));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    accounts,
    keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256' }],
    cookieKeys: [randomBytes(32).toString('base64url')],
    /** Webhooks that the receiver has not acknowledged yet, the oldest first. */
    deliveries: accounts.map((account) => createDelivery('user.created', account.id, toWebhookUser(account))),
  };
}

export function createAccount({ password, ...person }: Static<typeof NewAccount>) {
  // Epoch milliseconds, as in the webhook.
  const now = Date.now();
  return {
    id: `user_${randomBytes(16).toString('hex')}`,
    emailVerified: true,
    firstName: null,
    lastName: null,
    ...person,
    passwordHash: hashPassword(password),
    createdAt: now,
    updatedAt: now,
  };
}

/** The body does not change; it is signed again for every attempt. */
export const createDelivery = (type: string, userId: string, data: object) => ({
  type,
  userId,
  body: JSON.stringify({ type, data }),
});

export function toWebhookUser({ id, email, emailVerified, firstName, lastName, createdAt, updatedAt }: Account) {
  const emailId = `idn_${email}`;
  const verification = { status: emailVerified ? 'verified' : 'unverified' };
  return {
    id,
    email_addresses: [{ id: emailId, email_address: email, verification }],
    primary_email_address_id: emailId,
    first_name: firstName,
    last_name: lastName,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** The account with this e-mail (case is ignored), if the password is correct. */
export function authenticate({ accounts }: State, email: string, password: string): Account | undefined {
  const account = findByEmail(accounts, email.trim());
  const salt = account?.passwordHash.split('$')[1];
  return account?.passwordHash === hashPassword(password, salt) ? account : undefined;
}

export function findByEmail(accounts: Account[], email: string): Account | undefined {
  const wanted = email.toLowerCase();
  return accounts.find((account) => account.email.toLowerCase() === wanted);
}

/** `scrypt$salt$hash`, both in base64url, with Node's default cost. */
export function hashPassword(password: string, salt = randomBytes(16).toString('base64url')): string {
  const hash = scryptSync(password.normalize('NFC'), Buffer.from(salt, 'base64url'), 32);
  return `scrypt$${salt}$${hash.toString('base64url')}`;
}

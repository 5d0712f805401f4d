import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';

const Account = Type.Object({
  id: Type.String(),
  email: Type.String(),
  emailId: Type.String(),
  emailVerified: Type.Boolean(),
  firstName: Type.Union([Type.String(), Type.Null()]),
  lastName: Type.Union([Type.String(), Type.Null()]),
  passwordHash: Type.String(),
  /** Epoch milliseconds, as in the webhook; `updatedAt` increases with every change, even within one millisecond. */
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
});
export type Account = Static<typeof Account>;

/** A private RSA key as a JWK. */
export const SigningKey = Type.Object({
  kid: Type.String(),
  kty: Type.Literal('RSA'),
  alg: Type.Literal('RS256'),
  use: Type.Literal('sig'),
  n: Type.String(),
  e: Type.String(),
  d: Type.String(),
  p: Type.String(),
  q: Type.String(),
  dp: Type.String(),
  dq: Type.String(),
  qi: Type.String(),
});
export type SigningKey = Static<typeof SigningKey>;

/** A webhook that the receiver has not acknowledged yet. The body does not change; it is signed again for every attempt. */
const Delivery = Type.Object({
  id: Type.String(),
  userId: Type.String(),
  type: Type.String(),
  body: Type.String(),
});
export type Delivery = Static<typeof Delivery>;

const State = Type.Object({
  accounts: Type.Array(Account),
  /** Newest first: the first key signs, all are published. */
  keys: Type.Array(SigningKey, { minItems: 1 }),
  cookieKeys: Type.Array(Type.String(), { minItems: 1 }),
  /** Oldest first. */
  deliveries: Type.Array(Delivery),
});
export type State = Static<typeof State>;

export type Store = Awaited<ReturnType<typeof openStore>>;

/** Opens the state in `file`; if there is none yet, `initial` creates it. */
export async function openStore(file: string, initial: () => Promise<State>) {
  await mkdir(dirname(file), { recursive: true });
  const existing = await load(file);
  let state = existing ?? (await initial());
  if (!existing) await save(file, state);
  let latest: Promise<unknown> = Promise.resolve();
  const listeners: (() => void)[] = [];

  async function apply<T>(change: (draft: State) => T): Promise<T> {
    const draft = structuredClone(state);
    const result = change(draft);
    await save(file, draft);
    state = draft;
    for (const listener of listeners) listener();
    return result;
  }

  return {
    /** The state on disk. */
    read: () => state,
    /** Lets `change` modify a copy of the state, which is the state once it is on disk. Changes follow the order of the calls. */
    update<T>(change: (draft: State) => T): Promise<T> {
      const written = latest.then(() => apply(change));
      latest = written.catch(() => {});
      return written;
    },
    /** Calls the listener after every write. */
    onWrite: (listener: () => void) => void listeners.push(listener),
    /** Resolves when all changes have been written. */
    flush: async () => void (await latest),
  };
}

async function load(file: string): Promise<State | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const state: unknown = JSON.parse(text);
  if (!Value.Check(State, state)) throw new Error(`${file} does not hold the state of an identity provider`);
  return state;
}

/** Replaces the file atomically, so that a crash leaves either the old state or the new one. */
async function save(file: string, state: State): Promise<void> {
  await writeFile(`${file}.next`, JSON.stringify(state, null, 1), { mode: 0o600, flush: true });
  await rename(`${file}.next`, file);
}

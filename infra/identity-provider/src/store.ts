import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { JWK } from 'oidc-provider';

export interface Account {
  id: string;
  email: string;
  emailId: string;
  emailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
  passwordHash: string;
  /** Epoch milliseconds, as in the webhook; `updatedAt` increases with every change, even within one millisecond. */
  createdAt: number;
  updatedAt: number;
}

/** A webhook that the receiver has not acknowledged yet. The body does not change; it is signed again for every attempt. */
export interface Delivery {
  id: string;
  userId: string;
  type: string;
  body: string;
}

export interface State {
  accounts: Account[];
  /** The first key signs, all are published. */
  keys: JWK[];
  cookieKeys: string[];
  /** Oldest first. */
  deliveries: Delivery[];
}

export type Store = ReturnType<typeof openStore>;

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

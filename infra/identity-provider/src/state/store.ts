import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { State } from './state.ts';

export interface Store {
  /** The state on disk. */
  read(): State;
  /** Applies a change and resolves once it is on disk. Changes are applied in the order of the calls. */
  update<T>(change: (state: State) => readonly [State, T]): Promise<T>;
  /** Calls the listener after every write. */
  onWrite(listener: () => void): void;
  /** Resolves when all changes have been written. */
  flush(): Promise<void>;
}

/** Opens the state in `file`; if there is none yet, `initial` creates it. */
export async function openStore(file: string, initial: () => Promise<State>): Promise<Store> {
  await mkdir(dirname(file), { recursive: true });
  const existing = await load(file);
  let state = existing ?? (await initial());
  if (!existing) await save(file, state);
  let latest: Promise<unknown> = Promise.resolve();
  const listeners: (() => void)[] = [];

  async function apply<T>(change: (state: State) => readonly [State, T]): Promise<T> {
    const [next, result] = change(state);
    await save(file, next);
    state = next;
    for (const listener of listeners) listener();
    return result;
  }

  return {
    read: () => state,
    update(change) {
      const written = latest.then(() => apply(change));
      latest = written.catch(() => {});
      return written;
    },
    onWrite: (listener) => void listeners.push(listener),
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

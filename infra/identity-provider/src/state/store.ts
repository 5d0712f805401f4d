import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { State } from './state.ts';

export interface Store {
  /** The state on disk. */
  read(): State;
  /** Applies a change; resolves once it is on disk. Changes are applied in the order of the calls. */
  update<T>(change: (state: State) => readonly [State, T]): Promise<T>;
  /** Calls the listener after every write. */
  onWrite(listener: () => void): void;
  /** Resolves when all changes have been written. */
  flush(): Promise<void>;
}

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

/** Opens the state in `file`; if there is none yet, `initial` creates it. */
export async function openStore(file: string, initial: () => Promise<State>): Promise<Store> {
  await mkdir(dirname(file), { recursive: true });
  let durable = await load(file);
  if (!durable) {
    durable = await initial();
    await save(file, durable);
  }
  let latest = durable;
  let waiters: Waiter[] = [];
  let writing: Promise<void> | undefined;
  const listeners: (() => void)[] = [];

  /** Changes that arrive during a write are written together by the next one. */
  async function write(): Promise<void> {
    while (waiters.length > 0) {
      const batch = waiters;
      const state = latest;
      waiters = [];
      try {
        await save(file, state);
      } catch (error) {
        for (const waiter of [...batch, ...waiters]) waiter.reject(error);
        waiters = [];
        latest = durable ?? latest;
        continue;
      }
      durable = state;
      for (const waiter of batch) waiter.resolve();
      for (const listener of listeners) listener();
    }
    writing = undefined;
  }

  return {
    read: () => durable ?? latest,
    update: async (change) => {
      const [next, result] = change(latest);
      latest = next;
      const written = new Promise<void>((resolve, reject) => waiters.push({ resolve, reject }));
      writing ??= write();
      await written;
      return result;
    },
    onWrite: (listener) => {
      listeners.push(listener);
    },
    flush: async () => {
      await writing;
    },
  };
}

async function load(file: string): Promise<State | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const state: unknown = JSON.parse(text);
  if (!Value.Check(State, state)) throw new Error(`${file} does not hold the state of an identity provider`);
  return state;
}

/** Replaces the file atomically, so that a crash leaves either the old state or the new one. */
async function save(file: string, state: State): Promise<void> {
  const temporary = `${file}.next`;
  const handle = await open(temporary, 'w', 0o600);
  try {
    await handle.writeFile(JSON.stringify(state, null, 1));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

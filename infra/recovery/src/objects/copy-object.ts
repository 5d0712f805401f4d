import { ObjectMissing, type Storage } from 'media/storage';
import { RecoveryError } from '../recovery-error.ts';
import { createMeter } from '../stored-files.ts';
import type { ListedObject } from './list-objects.ts';

/** Reads an object to its end. @throws RecoveryError unless it is what its row says */
export async function checkObject(storage: Storage, object: ListedObject): Promise<void> {
  for await (const _chunk of checked(storage, object));
}

/** Copies an object, unless it is there already, and refuses bytes that are not what its row says. */
export async function copyObject(from: Storage, to: Storage, object: ListedObject): Promise<void> {
  const there = await to.stat(object.key);
  if (there?.size === object.size) return;
  await to.put(object.key, checked(from, object));
}

async function* checked(storage: Storage, { key, size, checksum }: ListedObject): AsyncGenerator<Uint8Array> {
  const meter = createMeter();
  yield* meter.through(await open(storage, key));
  const { bytes, sha256 } = meter.result();
  if (bytes !== size || `sha256:${sha256}` !== checksum)
    throw new RecoveryError(`object ${key} has other bytes than when it was uploaded`);
}

async function open(storage: Storage, key: string) {
  try {
    return await storage.open(key);
  } catch (error) {
    if (error instanceof ObjectMissing) throw new ObjectGone(key, { cause: error });
    throw error;
  }
}

/** Removed or replaced by somebody since its row was read; or lost. */
export class ObjectGone extends Error {
  override name = 'ObjectGone';
  constructor(key: string, options?: ErrorOptions) {
    super(`object ${key} is not in storage`, options);
  }
}

import { ObjectMissing, type Storage } from 'media/storage';
import { RecoveryError } from '../recovery-error.ts';
import { createMeter } from '../stored-files.ts';
import type { ListedObject } from './list-objects.ts';

/** Reads an object. @throws RecoveryError unless its size and checksum match those in its row */
export async function checkObject(storage: Storage, object: ListedObject): Promise<void> {
  for await (const _chunk of checked(storage, object));
}

/** Copies an object unless the target has it. @throws RecoveryError unless its size and checksum match those in its row */
export async function copyObject(from: Storage, to: Storage, object: ListedObject): Promise<void> {
  const existing = await to.stat(object.key);
  if (existing?.size === object.size) return;
  await to.put(object.key, checked(from, object));
}

async function* checked(storage: Storage, { key, size, checksum }: ListedObject): AsyncGenerator<Uint8Array> {
  const meter = createMeter();
  yield* meter.through(await open(storage, key));
  const { bytes, sha256 } = meter.result();
  if (bytes !== size || `sha256:${sha256}` !== checksum)
    throw new RecoveryError(`object ${key} was changed: its checksum does not match`);
}

async function open(storage: Storage, key: string) {
  try {
    return await storage.open(key);
  } catch (error) {
    if (error instanceof ObjectMissing) throw new ObjectNotFound(key, { cause: error });
    throw error;
  }
}

/** The object was deleted or replaced after its row was read, or it is lost. */
export class ObjectNotFound extends Error {
  override name = 'ObjectGone';
  constructor(key: string, options?: ErrorOptions) {
    super(`object ${key} is not in storage`, options);
  }
}

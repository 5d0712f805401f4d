import { join } from 'node:path';
import { databases } from 'local/databases';
import { createFileStorage } from 'media/storage/file';
import { type Manifest, readManifest } from './manifest.ts';
import { checkObject, ObjectNotFound } from './objects/copy-object.ts';
import { readLines } from './objects/list-objects.ts';
import { RecoveryError } from './recovery-error.ts';
import { checkFile } from './stored-files.ts';

/** Reads and checks a complete backup. @throws RecoveryError if a file or object is missing or was changed */
export async function checkBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const { list, kept } = manifest.objects;
  const optional = [manifest.erasures ?? [], manifest.quotas ?? []].flat();
  const tables = databases.flatMap((name) => manifest.databases[name].tables.map(({ file }) => file));
  for (const file of [...tables, list, ...optional, ...manifest.local]) await checkFile(folder, file);
  if (kept === 'listed') return manifest;
  const objects = createFileStorage(join(folder, 'objects'));
  try {
    for await (const object of readLines(join(folder, list.path))) await checkObject(objects, object);
  } catch (error) {
    if (error instanceof ObjectNotFound)
      throw new RecoveryError(`Incomplete backup: ${error.message}`, { cause: error });
    throw error;
  }
  return manifest;
}

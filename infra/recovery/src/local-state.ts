import { cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type StoredFile, storeFile } from './manifest.ts';

// The accounts and keys of the local identity provider, and the state of the seeding, exist only in these files.
const files = ['identity-provider/state.json', 'seed.json'];

export async function storeLocalState(directory: string | undefined, folder: string): Promise<StoredFile[]> {
  const stored: StoredFile[] = [];
  for (const file of directory ? files : []) {
    const text = await readFile(join(directory ?? '', file), 'utf8').catch(() => undefined);
    if (text !== undefined) stored.push(await storeFile(folder, `local/${file}`, text));
  }
  return stored;
}

export async function restoreLocalState(folder: string, stored: StoredFile[], directory: string): Promise<void> {
  for (const { path } of stored) {
    const target = join(directory, path.replace(/^local\//, ''));
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await cp(join(folder, path), target);
  }
}

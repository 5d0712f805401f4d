import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns a test file, or all test files in a folder. */
export async function findTests(fileOrFolder: string): Promise<string[]> {
  if ((await stat(fileOrFolder)).isFile()) return [fileOrFolder];
  const entries = await readdir(fileOrFolder, { withFileTypes: true });
  const nested = entries
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .map((entry) => {
      const path = join(fileOrFolder, entry.name);
      if (entry.isDirectory()) return findTests(path);
      return entry.name.endsWith('.test.ts') ? [path] : [];
    });
  return (await Promise.all(nested)).flat();
}

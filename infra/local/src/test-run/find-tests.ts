import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The test files at or below a place. */
export async function findTests(place: string): Promise<string[]> {
  if ((await stat(place)).isFile()) return [place];
  const entries = await readdir(place, { withFileTypes: true });
  const nested = entries
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .map((entry) => {
      const path = join(place, entry.name);
      if (entry.isDirectory()) return findTests(path);
      return entry.name.endsWith('.test.ts') ? [path] : [];
    });
  return (await Promise.all(nested)).flat();
}

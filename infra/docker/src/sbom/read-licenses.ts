import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the licenses of the installed packages, by `name@version`. */
export function readLicenses(root: string): Map<string, string> {
  const store = join(root, 'node_modules/.pnpm');
  const licenses = new Map<string, string>();
  for (const folder of readdirSync(store)) {
    for (const file of manifestsIn(join(store, folder, 'node_modules'))) {
      const { name, version, license } = Object(JSON.parse(readFileSync(file, 'utf8')));
      if (typeof license === 'string') licenses.set(`${name}@${version}`, license);
    }
  }
  return licenses;
}

// Only real folders; links lead to other packages.
function manifestsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const own = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return own.flatMap(({ name }) => {
    if (name.startsWith('@')) return manifestsIn(join(folder, name));
    const file = join(folder, name, 'package.json');
    return existsSync(file) ? [file] : [];
  });
}

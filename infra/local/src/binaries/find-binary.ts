import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// Debian installs servers in sbin, which is not in the PATH of ordinary users.
const fallbackDirectories = ['/usr/local/bin', '/usr/local/sbin', '/usr/bin', '/usr/sbin', '/opt/homebrew/bin'];

export function findBinary(name: string, path: string): string | undefined {
  const directories = [...path.split(delimiter).filter(Boolean), ...fallbackDirectories];
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { collectPackages, readLockfile } from './collect-packages.ts';
import { describeWorkspace, readLicenses } from './describe-workspace.ts';

/** The workspaces that the Dockerfile accepts as WORKSPACE. */
export const deployables = [
  'services/identity',
  'services/content',
  'services/media',
  'services/enrollment',
  'gateway',
  'infra/identity-provider',
  'infra/local',
] as const;

/** Writes a bill of materials for each deployable. @returns the files, by folder */
export function writeSboms(root: string, directory: string): Map<string, string> {
  const lockfile = readLockfile(root);
  const licenses = readLicenses(root);
  const versionOf = (folder: string) =>
    String(JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).version);
  mkdirSync(directory, { recursive: true });
  const files = deployables.map((folder): [string, string] => {
    const file = join(directory, `${posix.basename(folder)}.cdx.json`);
    writeFileSync(file, `${describeWorkspace(collectPackages(lockfile, versionOf, folder), licenses)}\n`);
    return [folder, file];
  });
  return new Map(files);
}

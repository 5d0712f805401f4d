import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parse } from 'yaml';

const Versions = Type.Record(Type.String(), Type.String());
const Lockfile = Type.Object({
  /** Workspaces by their folder. */
  importers: Type.Record(
    Type.String(),
    Type.Object({
      dependencies: Type.Optional(Type.Record(Type.String(), Type.Object({ version: Type.String() }))),
    }),
  ),
  packages: Type.Record(
    Type.String(),
    Type.Object({ resolution: Type.Object({ integrity: Type.Optional(Type.String()) }) }),
  ),
  /** Packages with their resolved peers. */
  snapshots: Type.Record(
    Type.String(),
    Type.Object({ dependencies: Type.Optional(Versions), optionalDependencies: Type.Optional(Versions) }),
  ),
});
type Lockfile = Static<typeof Lockfile>;

export function readLockfile(root: string): Lockfile {
  return Value.Parse(Lockfile, parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')));
}

export interface Package {
  /** The folder of a workspace, or the key of a package in the lockfile, which includes its peers. */
  id: string;
  kind: 'workspace' | 'package';
  name: string;
  version: string;
  integrity?: string;
  /** The ids of its runtime dependencies. */
  uses: string[];
}

interface Reference {
  name: string;
  version: string;
}

type VersionOf = (folder: string) => string;

/** Returns a workspace and all packages in its image, by id. The workspace comes first. */
export function collectPackages(lockfile: Lockfile, versionOf: VersionOf, workspace: string): Map<string, Package> {
  const found = new Map<string, Package>();
  const queue: string[] = [workspace];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue;
    const entry = lockfile.importers[id] ? readWorkspace(lockfile, versionOf, id) : readPackage(lockfile, id);
    found.set(id, entry);
    queue.push(...entry.uses);
  }
  // Images have no optional dependencies, unless another package depends on them too.
  for (const entry of found.values())
    entry.uses.push(...optionalUses(lockfile, entry.id).filter((id) => found.has(id)));
  return found;
}

function readWorkspace(lockfile: Lockfile, versionOf: VersionOf, id: string): Package {
  const references = Object.entries(lockfile.importers[id]?.dependencies ?? {}).map(([name, { version }]) => ({
    name,
    version,
  }));
  const uses = references.map((reference) => idOf(lockfile, reference, id));
  return { id, kind: 'workspace', name: posix.basename(id), version: versionOf(id), uses };
}

function readPackage(lockfile: Lockfile, id: string): Package {
  const plain = id.replace(/\(.*$/, '');
  const at = plain.lastIndexOf('@');
  const dependencies = Object.entries(lockfile.snapshots[id]?.dependencies ?? {});
  const integrity = lockfile.packages[plain]?.resolution.integrity;
  return {
    id,
    kind: 'package',
    name: plain.slice(0, at),
    version: plain.slice(at + 1),
    ...(integrity && { integrity }),
    uses: dependencies.map(([name, version]) => idOf(lockfile, { name, version }, '')),
  };
}

function optionalUses(lockfile: Lockfile, id: string): string[] {
  const optional = Object.entries(lockfile.snapshots[id]?.optionalDependencies ?? {});
  return optional.map(([name, version]) => idOf(lockfile, { name, version }, ''));
}

function idOf({ importers, snapshots }: Lockfile, { name, version }: Reference, from: string): string {
  if (version.startsWith('link:')) {
    const folder = posix.join(from, version.slice('link:'.length));
    if (importers[folder]) return folder;
  }
  const id = [`${name}@${version}`, version].find((candidate) => snapshots[candidate]);
  if (!id) throw new Error(`${name} ${version} is not in the lockfile`);
  return id;
}

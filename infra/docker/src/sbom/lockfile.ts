import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
export type Lockfile = Static<typeof Lockfile>;

export function readLockfile(root: string): Lockfile {
  return Value.Parse(Lockfile, parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')));
}

import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parse } from 'yaml';

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

const Names = Type.Optional(Type.Record(Type.String(), Type.String()));
const Manifest = Type.Object({
  name: Type.String(),
  version: Type.String(),
  license: Type.Optional(Type.Unknown()),
  dependencies: Names,
  optionalDependencies: Names,
  peerDependencies: Names,
  peerDependenciesMeta: Type.Optional(
    Type.Record(Type.String(), Type.Object({ optional: Type.Optional(Type.Boolean()) })),
  ),
});

interface Package extends Static<typeof Manifest> {
  /** The folder of a workspace, or the real folder of a package, which differs by its peers. */
  id: string;
  /** The ids of its runtime dependencies. */
  uses: string[];
}

/** Writes a bill of materials for each deployable in CycloneDX JSON. @returns the files, by folder */
export function writeSboms(root: string, directory: string): Map<string, string> {
  const integrityOf = readIntegrity(root);
  mkdirSync(directory, { recursive: true });
  const files = deployables.map((folder): [string, string] => {
    const file = join(directory, `${posix.basename(folder)}.cdx.json`);
    writeFileSync(file, `${describeWorkspace(collectPackages(root, folder), integrityOf)}\n`);
    return [folder, file];
  });
  return new Map(files);
}

const Lockfile = Type.Object({
  packages: Type.Record(
    Type.String(),
    Type.Object({ resolution: Type.Object({ integrity: Type.Optional(Type.String()) }) }),
  ),
});

function readIntegrity(root: string) {
  const { packages } = Value.Parse(Lockfile, parse(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8')));
  return ({ name, version }: Package) => packages[`${name}@${version}`]?.resolution.integrity;
}

/** Returns a workspace and all packages in its image, by id. The workspace comes first. */
function collectPackages(root: string, workspace: string): Map<string, Package> {
  const found = new Map<string, Package>();
  const queue = [workspace];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (found.has(id)) continue;
    const manifest = Value.Parse(Manifest, JSON.parse(readFileSync(join(root, id, 'package.json'), 'utf8')));
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
    const uses = findInstalled(root, id, [...Object.keys(dependencies), ...peers]);
    found.set(id, { ...manifest, id, uses });
    queue.push(...uses);
  }
  // Images have no optional dependencies, unless another package depends on them too.
  for (const { id, uses, optionalDependencies = {}, peerDependencies = {} } of found.values()) {
    const optional = findInstalled(root, id, Object.keys({ ...optionalDependencies, ...peerDependencies }));
    uses.push(...optional.filter((used) => found.has(used) && !uses.includes(used)));
  }
  return found;
}

/** The ids of dependencies: pnpm links those of a package beside its folder, and those of a workspace in it. */
function findInstalled(root: string, id: string, names: string[]): string[] {
  const end = id.lastIndexOf('/node_modules/');
  const modules = join(root, end === -1 ? id : id.slice(0, end), 'node_modules');
  const folders = names.map((name) => join(modules, name));
  return folders.filter((folder) => existsSync(folder)).map((folder) => relative(root, realpathSync(folder)));
}

function describeWorkspace(packages: Map<string, Package>, integrityOf: (entry: Package) => string | undefined) {
  const components = new Map([...packages].map(([id, entry]) => [id, describePackage(entry, integrityOf(entry))]));
  for (const { id, uses } of packages.values()) {
    for (const used of uses.map((name) => components.get(name)))
      if (used) components.get(id)?.dependencies.add(used.bomRef);
  }
  const [main, ...others] = components.values();
  const bom = new Models.Bom({ components: new Models.ComponentRepository(others) });
  if (main) {
    main.type = Enums.ComponentType.Application;
    bom.metadata.component = main;
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return serializer.serialize(bom, { sortLists: true, space: 2 });
}

const licenseFactory = new Contrib.License.Factories.LicenseFactory(() => {});
const { parsePackageIntegrity } = Contrib.FromNodePackageJson.Utils;

function describePackage({ id, name, version, license }: Package, integrity: string | undefined) {
  const isWorkspace = !id.includes('node_modules/');
  const [group, plain = name] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return new Models.Component(Enums.ComponentType.Library, isWorkspace ? posix.basename(id) : plain, {
    bomRef: id.replace(/^node_modules\/\.pnpm\//, ''),
    version,
    ...(!isWorkspace && { purl: `pkg:npm/${name.replace('@', '%40')}@${version}`, ...(group && { group }) }),
    ...(integrity && { hashes: new Models.HashDictionary([parsePackageIntegrity(integrity)]) }),
    ...(typeof license === 'string' && {
      licenses: new Models.LicenseRepository([licenseFactory.makeFromString(license)]),
    }),
  });
}

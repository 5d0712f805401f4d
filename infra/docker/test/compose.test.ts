import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import { deployables } from '../src/sbom/write-sboms.ts';
import {
  type Container,
  composeText,
  interpolate,
  makeEnvironment,
  readCompose,
  root,
  variablesOf,
} from './compose-file.ts';
import { findFlaws } from './compose-schema.ts';

const { variables, directory } = makeEnvironment(t);
const file = readCompose(variables);
const containers = Object.entries(file.services);
const isTask = ({ restart }: Container) => restart === 'no';
const sourceOf = ({ build }: Container) =>
  deployables.find((folder) => basename(folder) === build?.args.WORKSPACE) ?? 'nowhere';

t.test('the compose file is one by the specification', async (t) => {
  t.strictSame(findFlaws(file), []);
  const broken = { ...file, services: { ...file.services, gateway: { ...file.services.gateway, read_only: 'maybe' } } };
  t.match(findFlaws(broken), [{ instancePath: '/services/gateway/read_only' }], 'and a wrong one is found out');
});

t.test('every variable is explained in .env.example, and every secret made up', async (t) => {
  const example = readFileSync(join(root, '.env.example'), 'utf8');
  for (const name of new Set(variablesOf(composeText))) t.match(example, new RegExp(`^(# )?${name}=`, 'm'), name);
  const required = [...composeText.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name = '']) => name);
  t.ok(required.length > 0);
  for (const name of new Set(required)) {
    t.ok(variables[name], `${name} is made up`);
    t.throws(() => interpolate(composeText, { ...variables, [name]: '' }), { message: `${name} is required` });
  }
});

t.test('images are pinned, and ours are built here', async (t) => {
  for (const [name, { image, build }] of containers) {
    if (!build) t.match(image, /:v?\d+\.\d+\.\d+[\w.-]*$|:\d+\.\d+-[\w.-]+$/, `${name}: ${image}`);
    else {
      t.equal(image, `lms/${build.args.WORKSPACE}:dev`, `${name} has the image that is built for it`);
      t.ok(deployables.map((folder) => basename(folder)).includes(build.args.WORKSPACE ?? ''), `${name} can be built`);
      t.ok(existsSync(join(root, build.context, build.dockerfile)));
    }
  }
  t.notMatch(composeText, /:latest/);
  const base = /^ARG NODE_IMAGE=node:(\d+)\.\d+\.\d+-bookworm-slim$/m;
  t.match(readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8'), base, 'so is what they are built on');
});

t.test('the identity provider accepts the names that others call it by', async (t) => {
  const allowed = ['localhost', ...(file.services['identity-provider']?.environment?.ALLOWED_HOSTS ?? '').split(',')];
  const values = containers.flatMap(([, { environment = {} }]) => Object.values(environment));
  const hosts = values.filter((value) => /^http:\/\/[^/]+:8090/.test(value)).map((value) => new URL(value).hostname);
  t.ok(hosts.includes('identity-provider'));
  for (const host of hosts) t.ok(allowed.includes(host), host);
});

t.test('the gateway starts when the school is in place', async (t) => {
  const { gateway, seed } = file.services;
  t.match(gateway?.depends_on, { seed: { condition: 'service_completed_successfully' } });
  for (const name of ['identity', 'content', 'media', 'enrollment', 'identity-provider'])
    t.match(seed?.depends_on, { [name]: { condition: 'service_healthy' } });
});

t.test('every container is confined', async (t) => {
  for (const [name, container] of containers) {
    t.equal(container.read_only, true, `${name}: files`);
    t.strictSame(container.cap_drop, ['ALL'], `${name}: capabilities`);
    t.strictSame(container.security_opt, ['no-new-privileges:true'], `${name}: privileges`);
    t.ok(isTask(container) || container.restart === 'unless-stopped', `${name}: comes back`);
  }
});

t.test('only what people call is published, and what is for development to this machine alone', async (t) => {
  const published = containers.filter(([, { ports }]) => ports).map(([name]) => name);
  t.strictSame(published.sort(), ['gateway', 'grafana', 'identity-provider']);
  for (const name of ['grafana', 'identity-provider']) t.match(file.services[name]?.ports, [/^127\.0\.0\.1:/]);
  t.strictSame(file.networks.data, { internal: true }, 'the data network has no way out');
  for (const [name, { networks }] of containers)
    if (networks?.includes('edge')) t.ok([...published, 'seed'].includes(name), `${name} may be at the edge`);
});

t.test('whatever runs on says how it is, and who waits for that can', async (t) => {
  const mute = ['otel-collector', 'tempo'];
  for (const [name, container] of containers) {
    if (!isTask(container) && !mute.includes(name)) t.ok(container.healthcheck, `${name} has a health check`);
    for (const [needed, { condition }] of Object.entries(container.depends_on ?? {})) {
      const other = file.services[needed];
      if (!other) t.fail(`${name} waits for ${needed}, which is not there`);
      else if (condition === 'service_healthy') t.ok(other.healthcheck, `${needed} can be healthy for ${name}`);
      else if (condition === 'service_completed_successfully') t.ok(isTask(other), `${needed} can end for ${name}`);
      else t.ok(mute.includes(needed), `${name} waits for the mere start of ${needed}`);
    }
  }
});

t.test('files, volumes, networks and secrets that are named exist', async (t) => {
  for (const [name, container] of containers) {
    for (const volume of container.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('.')) t.ok(existsSync(join(root, source)), `${name} mounts ${source}`);
      else t.ok(source in file.volumes, `${name}: the volume ${source}`);
    }
    for (const network of container.networks ?? []) t.ok(network in file.networks, `${name}: the network ${network}`);
    for (const secret of container.secrets ?? []) t.ok(secret in file.secrets, `${name}: the secret ${secret}`);
  }
  for (const { file: path } of Object.values(file.secrets)) t.ok(existsSync(join(directory, path)), `${path} is made`);
});

t.test('the programs that containers run are in their images', async (t) => {
  const ours = containers.filter(([, { build }]) => build);
  t.equal(ours.length, 13);
  for (const [name, container] of ours) {
    const [program = 'node', script = 'dist/main.js'] = container.command ?? [];
    t.equal(program, 'node');
    const source = script.replace(/^dist\/(.*)\.js$/, 'src/$1.ts');
    t.ok(existsSync(join(root, sourceOf(container), source)), `${name} runs ${source}`);
  }
  const health = '/usr/local/lib/lms/check-health.mjs';
  const dockerfile = readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8');
  t.match(dockerfile, `COPY infra/docker/check-health.mjs ${health}`);
  for (const [name, { build, healthcheck }] of containers)
    if (build && healthcheck) t.equal(healthcheck.test[2], health, `${name} asks itself with it`);
});

t.test('addresses lead to a neighbour in reach, at the port where it listens', async (t) => {
  const wellKnown: Record<string, string> = { postgres: '5432', nats: '4222', redis: '6379', storage: '9000' };
  let seen = 0;
  for (const [name, { environment = {}, networks = [] }] of containers) {
    for (const [variable, value] of Object.entries(environment)) {
      const url = /^(https?|postgres|nats|redis):/.test(value) ? new URL(value) : undefined;
      if (!url || url.hostname === 'localhost') continue;
      const other = file.services[url.hostname];
      t.ok(
        other?.networks?.some((network) => networks.includes(network)),
        `${name}: ${variable} is in reach`,
      );
      t.equal(url.port, wellKnown[url.hostname] ?? other?.environment?.PORT, `${name}: ${variable} has the right port`);
      seen += 1;
    }
  }
  t.ok(seen > 30);
  t.match(file.services.gateway?.ports, [/:8080$/], 'the gateway is published where it listens');
  t.match(file.services['identity-provider']?.ports, [/:8090$/]);
});

t.test('Prometheus asks each of our processes at its admin port', async (t) => {
  const { scrape_configs: jobs } = parse(readFileSync(join(root, 'infra/observability/prometheus.yml'), 'utf8'));
  const targets: string[] = jobs.flatMap((job: { static_configs: { targets: string[] }[] }) =>
    job.static_configs.flatMap((group) => group.targets),
  );
  const measured = containers.filter(([, container]) => !isTask(container) && container.environment?.ADMIN_PORT);
  for (const [name, { environment }] of measured) t.ok(targets.includes(`${name}:${environment?.ADMIN_PORT}`), name);
  t.equal(targets.length, measured.length);
});

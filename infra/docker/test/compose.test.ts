import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';
import { parse } from 'yaml';
import {
  type Container,
  composeText,
  deployables,
  interpolate,
  makeEnvironment,
  readCompose,
  root,
  variablesOf,
} from './compose-file.ts';
import { validateCompose } from './validate-compose.ts';

const { variables, directory } = makeEnvironment(t);
const file = readCompose(variables);
const containers = Object.entries(file.services);
const isTask = ({ restart }: Container) => restart === 'no';
const sourceOf = ({ build }: Container) =>
  deployables.find((folder) => basename(folder) === build?.args.WORKSPACE) ?? 'unknown';

t.test('the compose file is valid', async (t) => {
  t.strictSame(validateCompose(file), []);
  const broken = { ...file, services: { ...file.services, gateway: { ...file.services.gateway, read_only: 'maybe' } } };
  t.match(validateCompose(broken), [{ instancePath: '/services/gateway/read_only' }], 'an invalid file is detected');
});

t.test('every variable is in .env.example, and every secret is generated', async (t) => {
  const example = readFileSync(join(root, '.env.example'), 'utf8');
  for (const name of new Set(variablesOf(composeText))) t.match(example, new RegExp(`^(# )?${name}=`, 'm'), name);
  const required = [...composeText.matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name = '']) => name);
  t.ok(required.length > 0);
  for (const name of new Set(required)) {
    t.ok(variables[name], `${name} is generated`);
    t.throws(() => interpolate(composeText, { ...variables, [name]: '' }), { message: `${name} is required` });
  }
});

t.test('images are pinned, and our own are built from this repository', async (t) => {
  for (const [name, { image, build }] of containers) {
    if (!build) t.match(image, /:v?\d+\.\d+\.\d+[\w.-]*$|:\d+\.\d+-[\w.-]+$/, `${name}: ${image}`);
    else {
      const expected = name === 'media-worker' ? name : build.args.WORKSPACE;
      t.equal(image, `lms/${expected}:dev`, `${name} uses the image of its workspace`);
      t.ok(deployables.map((folder) => basename(folder)).includes(build.args.WORKSPACE ?? ''), `${name} can be built`);
      t.ok(existsSync(join(root, build.context, build.dockerfile)));
    }
  }
  t.notMatch(composeText, /:latest/);
  const base = /^ARG NODE_IMAGE=node:(\d+)\.\d+\.\d+-bookworm-slim$/m;
  t.match(readFileSync(join(root, 'infra/docker/Dockerfile'), 'utf8'), base, 'the base image is pinned too');
});

t.test('the identity provider accepts all host names that are used for it', async (t) => {
  const allowed = ['localhost', ...(file.services['identity-provider']?.environment?.ALLOWED_HOSTS ?? '').split(',')];
  const values = containers.flatMap(([, { environment = {} }]) => Object.values(environment));
  const hosts = values.filter((value) => /^http:\/\/[^/]+:8090/.test(value)).map((value) => new URL(value).hostname);
  t.ok(hosts.includes('identity-provider'));
  for (const host of hosts) t.ok(allowed.includes(host), host);
});

t.test(
  'the local identity provider keeps its issuer if another provider is used, and the seeding knows both',
  async (t) => {
    const IDP_ISSUER = 'https://login.lms.example/realms/school';
    const { gateway, seed, 'identity-provider': local } = readCompose({ ...variables, IDP_ISSUER }).services;
    t.equal(gateway?.environment?.IDP_ISSUER, IDP_ISSUER);
    t.equal(local?.environment?.ISSUER, file.services.gateway?.environment?.IDP_ISSUER);
    t.match(seed?.environment, { IDP_ISSUER, LOCAL_ISSUER: local?.environment?.ISSUER });
  },
);

t.test('the gateway starts after the seeding', async (t) => {
  const { gateway, seed } = file.services;
  t.match(gateway?.depends_on, { seed: { condition: 'service_completed_successfully' } });
  for (const name of ['identity', 'content', 'media', 'enrollment', 'identity-provider'])
    t.match(seed?.depends_on, { [name]: { condition: 'service_healthy' } });
});

t.test('every container has restricted privileges', async (t) => {
  for (const [name, container] of containers) {
    t.equal(container.read_only, true, `${name}: files`);
    t.strictSame(container.cap_drop, ['ALL'], `${name}: capabilities`);
    t.strictSame(container.security_opt, ['no-new-privileges:true'], `${name}: privileges`);
    t.ok(isTask(container) || container.restart === 'unless-stopped', `${name}: is restarted`);
  }
});

t.test('only public containers are published, and those for development only on this machine', async (t) => {
  const published = containers.filter(([, { ports }]) => ports).map(([name]) => name);
  t.strictSame(published.sort(), ['gateway', 'grafana', 'identity-provider']);
  for (const name of ['grafana', 'identity-provider']) t.match(file.services[name]?.ports, [/^127\.0\.0\.1:/]);
  t.strictSame(file.networks.data, { internal: true }, 'the data network is internal');
  for (const [name, { networks }] of containers)
    if (networks?.includes('edge')) t.ok([...published, 'seed'].includes(name), `${name} may be in the edge network`);
});

t.test('the media worker reaches the database and the storage, and no other container of the system', async (t) => {
  t.strictSame(file.networks.processing, { internal: true });
  t.strictSame(file.services['media-worker']?.networks, ['processing']);
  const reached = containers.filter(([, { networks }]) => networks?.includes('processing')).map(([name]) => name);
  t.strictSame(reached.sort(), ['media-worker', 'otel-collector', 'postgres', 'prometheus', 'storage']);
});

t.test('every long-running container has a health check, and conditions in depends_on can be met', async (t) => {
  const withoutHealthCheck = ['otel-collector', 'tempo'];
  for (const [name, container] of containers) {
    if (!isTask(container) && !withoutHealthCheck.includes(name))
      t.ok(container.healthcheck, `${name} has a health check`);
    for (const [needed, { condition }] of Object.entries(container.depends_on ?? {})) {
      const other = file.services[needed];
      if (!other) t.fail(`${name} depends on ${needed}, which does not exist`);
      else if (condition === 'service_healthy') t.ok(other.healthcheck, `${name}: ${needed} has a health check`);
      else if (condition === 'service_completed_successfully') t.ok(isTask(other), `${name}: ${needed} is a task`);
      else t.ok(withoutHealthCheck.includes(needed), `${name} depends only on the start of ${needed}`);
    }
  }
});

t.test('files, volumes, networks and secrets that containers use exist', async (t) => {
  for (const [name, container] of containers) {
    for (const volume of container.volumes ?? []) {
      const [source = ''] = volume.split(':');
      if (source.startsWith('.')) t.ok(existsSync(join(root, source)), `${name} mounts ${source}`);
      else t.ok(source in file.volumes, `${name}: the volume ${source}`);
    }
    for (const network of container.networks ?? []) t.ok(network in file.networks, `${name}: the network ${network}`);
    for (const secret of container.secrets ?? []) t.ok(secret in file.secrets, `${name}: the secret ${secret}`);
  }
  for (const { file: path } of Object.values(file.secrets))
    t.ok(existsSync(join(directory, path)), `${path} is generated`);
});

t.test('the programs that containers run are in their images', async (t) => {
  const ours = containers.filter(([, { build }]) => build);
  t.equal(ours.length, 14);
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
    if (build && healthcheck) t.equal(healthcheck.test[2], health, `${name} uses it`);
});

t.test('URLs refer to containers in the same network, with the port on which they listen', async (t) => {
  const wellKnown: Record<string, string> = { postgres: '5432', nats: '4222', redis: '6379', storage: '9000' };
  let checked = 0;
  for (const [name, { environment = {}, networks = [] }] of containers) {
    for (const [variable, value] of Object.entries(environment)) {
      const url = /^(https?|postgres|nats|redis):/.test(value) ? new URL(value) : undefined;
      if (!url || url.hostname === 'localhost') continue;
      const other = file.services[url.hostname];
      t.ok(
        other?.networks?.some((network) => networks.includes(network)),
        `${name}: ${variable} is reachable`,
      );
      t.equal(url.port, wellKnown[url.hostname] ?? other?.environment?.PORT, `${name}: ${variable} has the right port`);
      checked += 1;
    }
  }
  t.ok(checked > 30);
  t.match(file.services.gateway?.ports, [/:8080$/], 'the gateway is published with its port');
  t.match(file.services['identity-provider']?.ports, [/:8090$/]);
});

t.test('Prometheus scrapes the admin port of each process', async (t) => {
  const { scrape_configs: jobs } = parse(readFileSync(join(root, 'infra/observability/prometheus.yml'), 'utf8'));
  const targets: string[] = jobs.flatMap((job: { static_configs: { targets: string[] }[] }) =>
    job.static_configs.flatMap((group) => group.targets),
  );
  const scraped = containers.filter(([, container]) => !isTask(container) && container.environment?.ADMIN_PORT);
  for (const [name, { environment }] of scraped) t.ok(targets.includes(`${name}:${environment?.ADMIN_PORT}`), name);
  t.equal(targets.length, scraped.length);
});

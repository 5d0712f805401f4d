import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Environment, loadConfig } from '@lms/config/load-config';
import { MigrationSettings } from '@lms/service/operator/run-migrations';
import type { Static, TSchema } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { Config as ContentConfig } from 'content/config';
import { Config as EnrollmentConfig } from 'enrollment/config';
import { Config as GatewayConfig } from 'gateway/config';
import { checkConfig as checkIdentityConfig, Config as IdentityConfig } from 'identity/config';
import { checkConfig as checkMediaConfig, Config as MediaConfig } from 'media/config';
import { WorkerConfig } from 'media/worker-config';
import t from 'tap';
import { parseAllDocuments } from 'yaml';
import { readDiagramCalls, readPolicyCalls } from './calls.ts';
import { type Resource, render } from './render.ts';
import { ConfigMap, ExternalSecret, NetworkPolicy, WithSelector, Workload } from './schemas.ts';
import { validateResource } from './validate-resource.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const example = join(root, 'infra/kubernetes/overlays/example');
const services = ['gateway', 'identity', 'content', 'media', 'enrollment'];
const processes = [...services, 'media-worker'];
const running = render(example);
const migrating = render(join(example, 'migrations'));
const all = [...running, ...migrating];

const ofKind = <T extends TSchema>(kind: string, schema: T): Static<T>[] =>
  all.filter((resource) => resource.kind === kind).map((resource) => Value.Parse(schema, resource));
const deployments = ofKind('Deployment', Workload);
const jobs = ofKind('Job', Workload);
const externalSecrets = ofKind('ExternalSecret', ExternalSecret);

t.test('every resource is valid', async (t) => {
  for (const resource of all) {
    const name = `${resource.kind} ${resource.metadata.name}`;
    if (resource.kind === 'ExternalSecret') t.ok(Value.Check(ExternalSecret, resource), name);
    else t.same(validateResource(resource), [], name);
  }
  const [deployment] = all.filter(({ kind }) => kind === 'Deployment');
  if (!deployment) throw new Error('there is no Deployment');
  const broken = (spec: object): Resource => ({ ...deployment, ...{ spec } });
  t.match(validateResource(broken({})), [/required/], 'an invalid resource is detected');
  const misspelled = { ...Object(deployment).spec, minReadySecond: 5 };
  t.same(
    validateResource(broken(misspelled)),
    ['/spec/minReadySecond is not a field'],
    'a misspelled field is detected',
  );
});

t.test('kubectl kustomize renders the same resources', async (t) => {
  if (spawnSync('kubectl', ['kustomize', '--help']).status !== 0) return t.comment('kubectl is not installed');
  for (const [folder, rendered] of [
    [example, running],
    [join(example, 'migrations'), migrating],
  ] as const) {
    const { stdout } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
    const expected = parseAllDocuments(stdout).map((document) => document.toJS());
    const key = ({ kind, metadata }: Resource) => `${kind} ${metadata.name}`;
    const sorted = (resources: Resource[]) => resources.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
    t.same(sorted(rendered), sorted(expected));
  }
});

t.test('every process has all its resources, and every database has a migration', async (t) => {
  const namesOf = (kind: string) =>
    all
      .filter((resource) => resource.kind === kind)
      .map(({ metadata }) => metadata.name)
      .sort();
  t.same(namesOf('Service'), services.toSorted(), 'Service');
  for (const kind of ['Deployment', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'ServiceAccount'])
    t.same(namesOf(kind), processes.toSorted(), kind);
  t.same(
    namesOf('Job'),
    services
      .filter((name) => name !== 'gateway')
      .map((name) => `${name}-migrations`)
      .sort(),
  );
  for (const { metadata, spec } of [...deployments, ...jobs]) {
    const [{ image }] = spec.template.spec.containers;
    t.match(
      image,
      new RegExp(`/${metadata.name.replace('-migrations', '')}:\\d+\\.\\d+\\.\\d+$`),
      `${metadata.name} has a pinned image`,
    );
  }
});

t.test('selectors match exactly their pods', async (t) => {
  for (const kind of ['Service', 'PodDisruptionBudget', 'Deployment'])
    for (const { metadata, spec } of ofKind(kind, WithSelector)) {
      const selector = Object.entries(Object(spec.selector).matchLabels ?? Object(spec.selector));
      const found = [...deployments, ...jobs].filter(({ spec: { template } }) =>
        selector.every(([name, value]) => template.metadata.labels[name] === value),
      );
      t.same(
        found.map((workload) => workload.metadata.name),
        [metadata.name],
        `${kind} ${metadata.name}`,
      );
    }
});

t.test('probes use the admin port, and the grace period is longer than the shutdown timeout', async (t) => {
  const timeout = Number(settingsOf('lms-settings').SHUTDOWN_TIMEOUT);
  t.ok(Number(settingsOf('lms-settings').SHUTDOWN_DELAY) < timeout);
  for (const { metadata, spec } of deployments) {
    const [{ startupProbe, livenessProbe, readinessProbe, ports }] = spec.template.spec.containers;
    const paths = [startupProbe, livenessProbe, readinessProbe].map(
      (probe) => `${probe?.httpGet.port}${probe?.httpGet.path}`,
    );
    t.same(paths, ['admin/startupz', 'admin/livez', 'admin/readyz'], metadata.name);
    const { PORT, ADMIN_PORT } = settingsOf('lms-settings');
    t.same(ports, [
      ...(services.includes(metadata.name) ? [{ name: 'http', containerPort: Number(PORT) }] : []),
      { name: 'admin', containerPort: Number(ADMIN_PORT) },
    ]);
    t.ok((spec.template.spec.terminationGracePeriodSeconds ?? 0) > timeout);
    t.equal(spec.template.spec.serviceAccountName, metadata.name);
  }
});

function settingsOf(name: string): Record<string, string> {
  const found = ofKind('ConfigMap', ConfigMap).find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`there is no ConfigMap ${name}`);
  return found.data ?? {};
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
// Sample values of the secrets.
const secrets: Record<string, string> = {
  DATABASE_URL: 'postgres://service:secret@postgres.data:5432/service',
  MIGRATION_DATABASE_URL: 'postgres://owner:secret@postgres.data:5432/service',
  NATS_URL: 'nats://service:secret@nats.data:4222',
  REDIS_URL: 'redis://:secret@redis.data:6379',
  PASSPORT_PRIVATE_KEY: privateKey,
  PASSPORT_PUBLIC_KEY: publicKey,
  WEBHOOK_SECRETS: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  SERVICE_SECRET: 'thirty-two-or-more-characters-are-needed',
  PLAYBACK_SECRET: 'sixteen-or-more-characters',
  S3_ACCESS_KEY_ID: 'access',
  S3_SECRET_ACCESS_KEY: 'secret',
};

function secretOf(name: string): Record<string, string> {
  const found = externalSecrets.find(({ spec }) => spec.target.name === name);
  if (!found) throw new Error(`there is no ExternalSecret for ${name}`);
  return Object.fromEntries(found.spec.data.map(({ secretKey }) => [secretKey, secrets[secretKey] ?? '']));
}

t.test('the settings of each process are valid and complete, and all of them are used', async (t) => {
  const readers: Record<string, (environment: Environment) => object> = {
    gateway: (environment) => loadConfig(GatewayConfig, environment),
    identity: (environment) => loadConfig(IdentityConfig, environment, checkIdentityConfig),
    content: (environment) => loadConfig(ContentConfig, environment),
    media: (environment) => loadConfig(MediaConfig, environment, checkMediaConfig),
    'media-worker': (environment) => loadConfig(WorkerConfig, environment, checkMediaConfig),
    enrollment: (environment) => loadConfig(EnrollmentConfig, environment),
  };
  for (const { metadata, spec } of deployments) {
    const [{ envFrom = [] }] = spec.template.spec.containers;
    const environment: Record<string, string> = Object.assign(
      {},
      ...envFrom.map(({ configMapRef, secretRef }) =>
        configMapRef ? settingsOf(configMapRef.name) : secretOf(secretRef?.name ?? ''),
      ),
    );
    const read = new Set<string>();
    const tracked = new Proxy(environment, {
      get(target, name: string) {
        read.add(name);
        return target[name];
      },
    });
    t.doesNotThrow(() => readers[metadata.name]?.(tracked), metadata.name);
    const shared = Object.keys(settingsOf('lms-settings'));
    const unused = Object.keys(environment).filter((name) => !read.has(name) && !shared.includes(name));
    t.same(unused, [], `${metadata.name} has no unused settings`);
  }
  for (const { metadata, spec } of jobs) {
    const [{ env = [] }] = spec.template.spec.containers;
    const environment = Object.fromEntries(
      env.map(({ name, valueFrom }) => [name, secretOf(valueFrom.secretKeyRef.name)[valueFrom.secretKeyRef.key]]),
    );
    t.ok(loadConfig(MigrationSettings, environment).MIGRATION_DATABASE_URL, metadata.name);
  }
});

t.test('network policies allow only the connections in the diagram of ARCHITECTURE.md', async (t) => {
  const policies = ofKind('NetworkPolicy', NetworkPolicy);
  const defaultDeny = policies.find(({ metadata }) => metadata.name === 'default-deny');
  t.same(defaultDeny?.spec, { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  const diagramCalls = readDiagramCalls(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'), processes);
  t.ok(
    diagramCalls.includes('gateway → media') && diagramCalls.includes('content → enrollment'),
    'the diagram was parsed',
  );
  t.same(readPolicyCalls(policies, 'egress', processes), diagramCalls, 'egress rules');
  t.same(readPolicyCalls(policies, 'ingress', processes), diagramCalls, 'ingress rules');
});

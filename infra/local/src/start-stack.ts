import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Addresses, assertFixedPortsAreFree, assignAddresses, portsPerStack } from './addresses.ts';
import {
  bucketTask,
  gatewayProcess,
  identityProviderProcess,
  mediaWorkerProcess,
  type StackContext,
  serviceProcesses,
} from './processes/service-processes.ts';
import { loadOrCreateSecrets } from './secrets.ts';
import { seed } from './seed/seed.ts';
import {
  listExternalServers,
  migrateDatabases,
  type StackOptions,
  startBackingServices,
} from './start-backing-services.ts';
import type { Stack } from './supervisor/run-stack.ts';

/** Starts all processes in order. Resolves when the sample content exists and the gateway is ready. */
export async function startStack(stack: Stack, options: StackOptions): Promise<StackContext> {
  const { settings } = options;
  await assertFixedPortsAreFree(settings);
  return stack.supervisor.onFreePorts(portsPerStack, (ports) =>
    startAt(assignAddresses(settings, ports), stack, options),
  );
}

async function startAt(
  addresses: Addresses,
  { supervisor, addExternal }: Stack,
  options: StackOptions,
): Promise<StackContext> {
  const { settings, environment, directory, report } = options;
  const secrets = loadOrCreateSecrets(directory);
  const backingServices = await startBackingServices(supervisor, addresses, secrets, options);
  addExternal(listExternalServers(settings, backingServices.storagePath));

  const publicUrl = settings.PUBLIC_URL ?? addresses.gateway.url;
  const context: StackContext = { settings, environment, secrets, addresses, publicUrl, ...backingServices };
  const migrate = async () => {
    await migrateDatabases(context.databaseUrls);
    report('databases          migrated');
  };
  const makeBucket = async () => {
    if (!settings.S3_ENDPOINT) return;
    await supervisor.runTask(bucketTask(context));
    report('bucket             exists');
  };
  const startProvider = async () => {
    if (settings.IDP_JWKS_URL) return warnUnlessReachable(settings.IDP_JWKS_URL, report);
    const providerDirectory = join(directory, 'identity-provider');
    mkdirSync(providerDirectory, { recursive: true, mode: 0o700 });
    await supervisor.start([identityProviderProcess(context, join(providerDirectory, 'state.json'))]);
  };
  await Promise.all([migrate(), makeBucket(), startProvider()]);
  await supervisor.start([...serviceProcesses(context), mediaWorkerProcess(context, join(directory, 'media-worker'))]);
  // Before the gateway starts, so that no client sees or changes incomplete sample content.
  const target = {
    services: addresses,
    privateKey: secrets.passport.privateKey,
    providerUrl: settings.IDP_ISSUER ? undefined : addresses.identityProvider.url,
    sampleContent: settings.SEED,
  };
  await seed(target, directory, report);
  await supervisor.start([gatewayProcess(context)]);
  return context;
}

async function warnUnlessReachable(jwksUrl: string, report: (line: string) => void): Promise<void> {
  const isReachable = await fetch(jwksUrl, { signal: AbortSignal.timeout(3_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isReachable)
    report(`identity provider  unreachable at ${jwksUrl}; requests with a token get a 503 until its keys are loaded`);
}

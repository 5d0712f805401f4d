import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@lms/config/load-config';
import { type Addresses, assertFixedPortsAreFree, assignAddresses, portsOfStack } from './addresses.ts';
import {
  bucketTask,
  gatewayPart,
  type House,
  identityProviderPart,
  migrationTasks,
  serviceParts,
} from './parts/service-parts.ts';
import { keepSecrets } from './secrets.ts';
import { seed } from './seed/seed.ts';
import type { Settings } from './settings.ts';
import { listElsewhere, startBacking } from './start-backing.ts';
import type { Stack } from './supervisor/run-stack.ts';

export interface StackOptions {
  settings: Settings;
  environment: Environment;
  directory: string;
  report(line: string): void;
}

/** Starts everything in order and resolves when the gateway is ready and the school in place. */
export async function startStack(stack: Stack, options: StackOptions): Promise<House> {
  const { settings } = options;
  await assertFixedPortsAreFree(settings);
  return stack.supervisor.onFreePorts(portsOfStack, (ports) =>
    startAt(assignAddresses(settings, ports), stack, options),
  );
}

async function startAt(addresses: Addresses, { supervisor, note }: Stack, options: StackOptions): Promise<House> {
  const { settings, environment, directory, report } = options;
  const secrets = keepSecrets(directory);
  const path = environment.PATH ?? '';
  const backing = await startBacking(supervisor, { settings, secrets, addresses, directory, path, report });
  note(listElsewhere(settings, backing.storagePath));

  const publicUrl = settings.PUBLIC_URL ?? addresses.gateway.url;
  const house: House = { settings, environment, secrets, addresses, publicUrl, ...backing };
  const migrate = async () => {
    await Promise.all(migrationTasks(house).map(supervisor.runTask));
    report('databases          migrated');
  };
  const makeBucket = async () => {
    if (!settings.S3_ENDPOINT) return;
    await supervisor.runTask(bucketTask(house));
    report('bucket             there');
  };
  const startProvider = async () => {
    if (settings.IDP_JWKS_URL) return warnUnlessReachable(settings.IDP_JWKS_URL, report);
    const providerDirectory = join(directory, 'identity-provider');
    mkdirSync(providerDirectory, { recursive: true, mode: 0o700 });
    await supervisor.start([identityProviderPart(house, join(providerDirectory, 'state.json'))]);
  };
  await Promise.all([migrate(), makeBucket(), startProvider()]);
  await supervisor.start(serviceParts(house));
  // Before the gateway: no client sees half a school, or makes content in its place.
  await seed(house, directory, report);
  await supervisor.start([gatewayPart(house)]);
  return house;
}

async function warnUnlessReachable(jwksUrl: string, report: (line: string) => void): Promise<void> {
  const reached = await fetch(jwksUrl, { signal: AbortSignal.timeout(3_000) }).then(
    (answer) => answer.ok,
    () => false,
  );
  if (!reached)
    report(`identity provider  out of reach at ${jwksUrl}: requests with a token get 503 until its keys are loaded`);
}

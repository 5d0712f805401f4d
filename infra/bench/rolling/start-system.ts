import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { assignAddresses, portsPerStack } from 'local/addresses';
import { migrateDatabases, startBackingServices } from 'local/backing-services';
import { claimPorts } from 'local/free-ports';
import { root } from 'local/processes/node-process';
import {
  gatewayProcess,
  identityProviderProcess,
  type StackContext,
  serviceProcesses,
} from 'local/processes/service-processes';
import { loadOrCreateSecrets } from 'local/secrets';
import { seed } from 'local/seed';
import { loadSettings } from 'local/settings';
import { createSupervisor } from 'local/supervisor';
import { compile } from '../../local/compile.mjs';
import { createDeployment, type Deployment } from './deployment.ts';

// All clients have the same address, and the limits are not what is measured.
const unlimited = '100000000';
const limits = {
  RATE_LIMIT_GENERAL: unlimited,
  RATE_LIMIT_AUTH: unlimited,
  RATE_LIMIT_UPLOAD: unlimited,
  QUOTAS_ENABLED: 'false',
};

/** Starts the local stack with a balancer before each process, so that each can be replaced. */
export async function startSystem(
  directory: string,
  shutdownSettings: NodeJS.ProcessEnv,
  report: (line: string) => void,
) {
  const environment = {
    ...process.env,
    ...limits,
    DATA_DIR: directory,
    GATEWAY_PORT: '0',
    IDP_PORT: '0',
    LOG_LEVEL: 'warn',
  };
  await compile(root);
  const settings = loadSettings(environment);
  const supervisor = createSupervisor({ logDirectory: join(directory, 'logs'), report });
  const addresses = assignAddresses(settings, (await claimPorts(portsPerStack)).ports);
  const secrets = loadOrCreateSecrets(directory);
  const path = process.env.PATH ?? '';
  const backing = await startBackingServices(supervisor, { settings, secrets, addresses, directory, path, report });
  const house: StackContext = {
    settings,
    environment,
    secrets,
    addresses,
    publicUrl: addresses.gateway.url,
    ...backing,
  };
  await migrateDatabases(backing.databaseUrls);
  mkdirSync(join(directory, 'identity-provider'));
  await supervisor.start([identityProviderProcess(house, join(directory, 'identity-provider', 'state.json'))]);

  const deployments: Deployment[] = [];
  for (const part of [...serviceProcesses(house), gatewayProcess(house)]) {
    const deployment = await createDeployment(part, shutdownSettings, join(directory, 'logs', `${part.name}.log`));
    deployments.push(deployment);
    await deployment.start();
  }
  await seed(house, directory, report);
  return {
    gateway: addresses.gateway.url,
    provider: addresses.identityProvider.url,
    deployments,
    async stop() {
      for (const deployment of deployments.toReversed()) await deployment.stop();
      await supervisor.stop();
    },
  };
}

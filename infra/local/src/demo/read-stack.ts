import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

export interface Stack {
  gatewayUrl: string;
  providerUrl: string;
}

/** The URLs of the running system: `GATEWAY_URL` and `IDP_URL`, or those in `DATA_DIR/stack.json`. */
export async function readStack(environment: NodeJS.ProcessEnv): Promise<Stack> {
  const { GATEWAY_URL, IDP_URL, DATA_DIR = '.data' } = environment;
  if (GATEWAY_URL && IDP_URL) return { gatewayUrl: GATEWAY_URL, providerUrl: IDP_URL };
  const { file, gateway, identityProvider } = await readStackFile(DATA_DIR);
  if (typeof gateway?.url !== 'string' || typeof identityProvider?.url !== 'string')
    throw new Error(`${file} does not contain the URLs of the gateway and the identity provider`);
  return { gatewayUrl: GATEWAY_URL ?? gateway.url, providerUrl: IDP_URL ?? identityProvider.url };
}

/** @throws if the system is not running */
export async function readStackFile(directory: string) {
  const file = resolve(directory, 'stack.json');
  const stack: unknown = await readFile(file, 'utf8').then(JSON.parse, () => {
    throw new Error(`The system is not running (${file} does not exist). Start it with: npm start`);
  });
  return { file, ...Object(stack) };
}

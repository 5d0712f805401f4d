import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

export interface Stack {
  gatewayUrl: string;
  providerUrl: string;
}

/** Where the running system is: `GATEWAY_URL` and `IDP_URL` if given, else what `DATA_DIR/stack.json` says. */
export async function readStack(environment: NodeJS.ProcessEnv): Promise<Stack> {
  const { GATEWAY_URL, IDP_URL, DATA_DIR = '.data' } = environment;
  if (GATEWAY_URL && IDP_URL) return { gatewayUrl: GATEWAY_URL, providerUrl: IDP_URL };
  const file = resolve(DATA_DIR, 'stack.json');
  const stack: unknown = await readFile(file, 'utf8').then(JSON.parse, () => {
    throw new Error(`Nothing is running (no ${file}). Start the system first: npm start`);
  });
  const { gateway, identityProvider } = Object(stack);
  if (typeof gateway?.url !== 'string' || typeof identityProvider?.url !== 'string')
    throw new Error(`${file} does not say where the gateway and the provider are`);
  return { gatewayUrl: GATEWAY_URL ?? gateway.url, providerUrl: IDP_URL ?? identityProvider.url };
}

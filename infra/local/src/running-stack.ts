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

const localPassword = 'password';

/** Creates an account at the local provider, which sends a webhook to the identity service. */
export async function register(providerUrl: string, user: { email: string; firstName: string; lastName: string }) {
  const response = await fetch(new URL('/users', providerUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...user, password: localPassword }),
  });
  if (response.status !== 201)
    throw new Error(`The provider did not create ${user.email}: ${response.status} ${await response.text()}`);
}

/** Returns a token from the local provider's password grant. */
export async function signIn(providerUrl: string, email: string, password = localPassword) {
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'lms-local', username: email, password });
  const response = await fetch(new URL('/token', providerUrl), { method: 'POST', body });
  const { access_token } = Object(await response.json());
  if (typeof access_token !== 'string') throw new Error(`${email} could not sign in: ${response.status}`);
  return access_token;
}

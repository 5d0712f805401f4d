import type { Settings } from './settings.ts';
import { isFree } from './supervisor/free-ports.ts';

export interface Address {
  port: number;
  adminPort: number;
  url: string;
  adminUrl: string;
}

export interface Addresses {
  gateway: Address;
  identityProvider: Address;
  identity: Address;
  content: Address;
  media: Address;
  enrollment: Address;
  ports: { postgres: number; nats: number; redis: number };
}

/** How many ports a stack takes where none is fixed. */
export const portsOfStack = 15;

/** Where everything is to listen, given free ports: a part that is started again comes back where it was. */
export function assignAddresses(settings: Settings, ports: readonly number[]): Addresses {
  const left = [...ports];
  const next = () => left.pop() ?? 0;
  const address = (fixed = 0): Address => {
    const [port, adminPort] = [fixed || next(), next()];
    return { port, adminPort, url: `http://127.0.0.1:${port}`, adminUrl: `http://127.0.0.1:${adminPort}` };
  };
  return {
    gateway: address(settings.GATEWAY_PORT),
    identityProvider: address(settings.IDP_PORT),
    identity: address(),
    content: address(),
    media: address(),
    enrollment: address(),
    ports: { postgres: next(), nats: next(), redis: next() },
  };
}

/** @throws when a port that the settings name is taken */
export async function assertFixedPortsAreFree(settings: Settings): Promise<void> {
  await assertFree('gateway', 'GATEWAY_PORT', settings.GATEWAY_PORT);
  if (!settings.IDP_ISSUER) await assertFree('identity provider', 'IDP_PORT', settings.IDP_PORT);
}

async function assertFree(part: string, setting: string, port: number): Promise<void> {
  if (port === 0 || (await isFree(port))) return;
  throw new Error(
    `${part}: port ${port} is taken; stop what listens there or set ${setting} to another port (0 for any free one)`,
  );
}

import type { Settings } from './settings.ts';
import { isFree } from './supervisor/free-ports.ts';

/** The number of ports that a stack needs if none is configured. */
export const portsPerStack = 15;

const urlOf = (port: number) => `http://127.0.0.1:${port}`;

const toAddress = (port: number, adminPort: number) => ({
  ...{ port, url: urlOf(port) },
  ...{ adminPort, adminUrl: urlOf(adminPort) },
});
export type Address = ReturnType<typeof toAddress>;
export type Addresses = ReturnType<typeof assignAddresses>;

/** Assigns configured and free ports to the processes. A process that is restarted gets the same ones. */
export function assignAddresses(settings: Settings, ports: readonly number[]) {
  const remaining = [...ports];
  const next = () => remaining.pop() ?? 0;
  const address = (fixed = 0) => toAddress(fixed || next(), next());
  const addressWithOnePort = (fixed = 0) => {
    const port = fixed || next();
    return toAddress(port, port);
  };
  return {
    gateway: address(settings.GATEWAY_PORT),
    identityProvider: addressWithOnePort(settings.IDP_PORT),
    identity: address(),
    content: address(),
    media: address(),
    // It has only a private port.
    mediaWorker: addressWithOnePort(),
    enrollment: address(),
    ports: { postgres: next(), nats: next(), redis: next() },
  };
}

/** @throws if a configured port is in use */
export async function assertFixedPortsAreFree(settings: Settings): Promise<void> {
  await assertFree('gateway', 'GATEWAY_PORT', settings.GATEWAY_PORT);
  if (!settings.IDP_ISSUER) await assertFree('identity provider', 'IDP_PORT', settings.IDP_PORT);
}

async function assertFree(name: string, setting: string, port: number): Promise<void> {
  if (port === 0 || (await isFree(port))) return;
  throw new Error(
    `${name}: port ${port} is in use; stop the program that uses it, or set ${setting} to another port (0 for any free port)`,
  );
}

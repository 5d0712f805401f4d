import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { createMemoryAdapter } from './memory-adapter.ts';
import { createProvider, type ProviderDeps } from './provider.ts';

export interface RunningProvider {
  provider: Provider;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Returns the provider with the current keys. It is created at first use, because the issuer may depend on the port,
 * which is only known once the app listens.
 */
export function createProviders(deps: Omit<ProviderDeps, 'issuer' | 'adapter'> & { issuer: () => string }) {
  const adapter = createMemoryAdapter();
  let current: { keys: object; running: RunningProvider } | undefined;
  return (): RunningProvider => {
    const { keys } = deps.store.read();
    if (current?.keys !== keys) {
      const provider = createProvider({ ...deps, issuer: deps.issuer(), adapter }, keys);
      current = { keys, running: { provider, handle: provider.callback() } };
    }
    return current.running;
  };
}

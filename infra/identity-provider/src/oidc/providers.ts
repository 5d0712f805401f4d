import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Provider } from 'oidc-provider';
import { createArtefacts } from './artefacts.ts';
import { createProvider, type ProviderDeps } from './provider.ts';

export interface Running {
  provider: Provider;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * The provider over the keys of the moment, made at first use: the issuer may depend on the port, which is known only
 * once we listen.
 */
export function createProviders(deps: Omit<ProviderDeps, 'issuer' | 'artefacts'> & { issuer: () => string }) {
  const artefacts = createArtefacts();
  let current: { keys: object; running: Running } | undefined;
  return (): Running => {
    const { keys } = deps.store.read();
    if (current?.keys !== keys) {
      const provider = createProvider({ ...deps, issuer: deps.issuer(), artefacts }, keys);
      current = { keys, running: { provider, handle: provider.callback() } };
    }
    return current.running;
  };
}

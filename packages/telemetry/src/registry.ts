import { collectDefaultMetrics, Registry } from 'prom-client';

export type { Registry };

/** Creates a registry with the default metrics of a Node.js process: memory, CPU time, event loop lag. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

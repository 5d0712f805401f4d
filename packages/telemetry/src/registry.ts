import { collectDefaultMetrics, Registry } from 'prom-client';

export type { Registry };

/** What a process tells of itself: to begin with its memory, its CPU time and how late its event loop is. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

import type { Database } from 'local/databases';
import type { System } from '../system/start-system.ts';

/** A database that was restored: what it acknowledged between the two times is lost. */
export interface Restore {
  database: Database;
  from: number;
  to: number;
}

export interface Fault {
  name: string;
  /** The process that is disturbed. Two faults of one process are never injected at the same time. */
  part: string;
  /** The parts whose routes may fail meanwhile; none for what requests do not need. */
  breaks: readonly string[];
  /** Injects the fault, and removes it after `durationMs`. Resolves when the part is ready again. */
  inject(system: System, durationMs: number): Promise<Restore | undefined>;
}

const spare = ['nats', 'redis', 'identity-provider', 'media-worker'];
/** The processes that requests need. Requests go on without NATS, Redis, the identity provider and the media worker. */
export const breaks = (part: string): string[] => (spare.includes(part) ? [] : [part]);

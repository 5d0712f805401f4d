import { createHash } from 'node:crypto';
import type { System } from '../system/start-system.ts';

export interface Fault {
  name: string;
  /** The process that is disturbed. Two faults of one process are never injected at the same time. */
  part: string;
  /** The parts whose routes may fail meanwhile; none for what requests do not need. */
  breaks: readonly string[];
  /** Injects the fault, and removes it after `durationMs`. Resolves when the part is ready again. */
  inject(system: System, durationMs: number): Promise<unknown>;
}

const spare = ['nats', 'redis', 'identity-provider', 'media-worker'];
/** The processes that requests need. Requests go on without NATS, Redis, the identity provider and the media worker. */
export const breaks = (part: string): string[] => (spare.includes(part) ? [] : [part]);

/** A sequence of numbers from 0 to 1 that depends on the seed only. */
export function createRandom(seed: number): () => number {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${seed} ${count}`).digest().readUInt32BE() / 2 ** 32;
  };
}

export function shuffle<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, order: random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ value }) => value);
}

/** Two or three faults of different parts, to be injected at the same time. */
export function mix(faults: readonly Fault[], random: () => number): Fault[] {
  const chosen: Fault[] = [];
  for (const fault of shuffle(faults, random)) {
    if (chosen.every(({ part }) => part !== fault.part)) chosen.push(fault);
    if (chosen.length === (random() < 0.5 ? 2 : 3)) break;
  }
  return chosen;
}
